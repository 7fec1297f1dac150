// Every game with pages or drawings of its own, in the order of the menu.
import { CHESS } from "./chess/parts";
import { register } from "./registry";
import { CAMBIA } from "./table/cambia_parts";
import { TABLES } from "./table/table_parts";

[CHESS, CAMBIA, ...TABLES].forEach(register);
