/** The version and the build of this program, for --version, hand-over and main. No parser is loaded for it: this is the start path. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** As package.json says: two folders above this file, in the source and in the bundle. Throws when it is not there. */
export function readVersion(): string {
  const content: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  if (typeof content === "object" && content !== null && "version" in content && typeof content.version === "string")
    return content.version;
  throw new Error("package.json names no version");
}

/**
 * Which build this is: a hash of the keys that the build left beside it. Read at the start, because an update replaces them under
 * a running program. undefined = a package, where the version says it, or the source.
 */
export function readBuild(): string | undefined {
  try {
    return createHash("sha256")
      .update(readFileSync(new URL("../.gopi", import.meta.url)))
      .digest("hex");
  } catch {
    return undefined;
  }
}
