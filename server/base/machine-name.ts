/** The name of this machine, for files that other machines may read. */
import { hostname } from "node:os";

/** Returns the name; undefined on macOS, which may take another one from each network. */
export const machineName = (platform = process.platform): string | undefined =>
  platform === "darwin" ? undefined : hostname();
