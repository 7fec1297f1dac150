// Builds the front end into the Python package: one script, one style sheet, one page, notices.
// Browsers: the script needs ES2022, in syntax (`target` below) and in functions (`lib` in tsconfig.json);
// colours need light-dark(), which Chrome has since version 123, Firefox since 120 and Safari since 17.5.
import { build } from "esbuild";
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

const target = process.argv[2] ?? "../src/fogtree/web/static";
const LARGEST = 150_000; // bytes, gzipped

await mkdir(target, { recursive: true });
await build({
  entryPoints: { app: "src/main.tsx" },
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});

const digest = async (name) =>
  createHash("sha256").update(await readFile(`${target}/${name}`)).digest("hex").slice(0, 12);
const page = (await readFile("src/index.html", "utf8"))
  .replace("{{script}}", `/static/app.js?v=${await digest("app.js")}`)
  .replace("{{style}}", `/static/app.css?v=${await digest("app.css")}`);
await writeFile(`${target}/index.html`, page);

const notices = [];
for (const name of ["preact", "uplot"]) {
  const { version, license } = JSON.parse(await readFile(`node_modules/${name}/package.json`));
  const text = await readFile(`node_modules/${name}/LICENSE`, "utf8");
  notices.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
}
await writeFile(`${target}/NOTICES.txt`, notices.join("\n\n"));

let size = 0;
for (const name of ["app.js", "app.css", "index.html"]) {
  size += gzipSync(await readFile(`${target}/${name}`)).length;
}
console.log(`${(size / 1000).toFixed(1)} kB gzipped`);
if (size > LARGEST) {
  console.error(`the bundle is larger than ${LARGEST / 1000} kB`);
  process.exit(1);
}
