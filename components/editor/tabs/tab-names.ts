/** Computes tab titles: the file name, with as much of its folder as distinguishes equal names. Pure. */

export interface TabName {
  readonly path: string;
  readonly name: string;
  /** Empty if the name is unique. */
  readonly folder: string;
}

export function tabNames(paths: readonly string[]): readonly TabName[] {
  return paths.map((path) => {
    const parts = path.split("/");
    const name = parts.at(-1) ?? path;
    const others = paths.filter((other) => other !== path && other.split("/").at(-1) === name);
    if (others.length === 0) return { path, name, folder: "" };
    for (let depth = 2; depth <= parts.length; depth += 1) {
      const end = parts.slice(-depth).join("/");
      if (others.every((other) => !`/${other}`.endsWith(`/${end}`)))
        return { path, name, folder: parts.slice(-depth, -1).join("/") };
    }
    return { path, name, folder: parts.slice(0, -1).join("/") || "." };
  });
}
