// Style sheets are bundled by the build; importing one gives nothing.
declare module "*.css";
