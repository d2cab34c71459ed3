// Where the checkout is, and the files in it that remember what was installed and built; used by every script.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute path of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Remembers the key of the installed packages; gone with node_modules. */
export const installStamp = join(root, "node_modules/.gopi");

/** Remembers the key of each built part as JSON; gone with dist. */
export const buildStamp = join(root, "dist/.gopi");
