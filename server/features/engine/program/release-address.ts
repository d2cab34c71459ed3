/** Finds the address of a release's archives, and their size. Pure. */
import type { EngineBuild, EngineCatalogue } from "./engine-builds";

/**
 * Address before the archives' names. `mirror` = address in place of the folder of all releases, as the user typed it; empty
 * = that of the catalogue.
 */
export function releaseAddress({ base, tag }: Pick<EngineCatalogue, "base" | "tag">, mirror: string): string {
  if (mirror === "") return base;
  return new URL(`${encodeURIComponent(tag)}/`, mirror.endsWith("/") ? mirror : `${mirror}/`).href;
}

/** Bytes that are downloaded. */
export const bytesOfBuild = ({ archives }: EngineBuild): number => archives.reduce((sum, { bytes }) => sum + bytes, 0);

/** Names the content of a build: equal for the same archives, also of a release with another name. */
export const pinOfBuild = ({ archives }: Pick<EngineBuild, "archives">): string =>
  archives.map(({ sha256 }) => sha256).join(" ");
