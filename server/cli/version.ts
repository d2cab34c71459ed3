/** Version and build of this program. Loads no parser: this is on the start path. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Version in package.json, two folders above this file in the source and in the bundle. Throws when it is missing. */
export function readVersion(): string {
  const content: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  if (typeof content === "object" && content !== null && "version" in content && typeof content.version === "string")
    return content.version;
  throw new Error("package.json names no version");
}

/**
 * Build id: a hash of the keys file that the build left beside the program. Read at the start, because an update
 * replaces it under a running program. undefined = a package, where the version suffices, or the source.
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
