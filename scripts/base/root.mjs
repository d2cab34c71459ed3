// Paths of the checkout and of the stamp files that record what was installed and built.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute path of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Records the key of the installed packages; deleted with node_modules. */
export const installStamp = join(root, "node_modules/.gopi");

/** Records the key of each built part as JSON; deleted with dist. */
export const buildStamp = join(root, "dist/.gopi");
