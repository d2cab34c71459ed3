/** Number of a build of llama.cpp, by which releases are compared. Pure. */

/**
 * 11669 of the version `0.7.0 (build 11669, …)`, 6700 of the version `6700 (abc)` and of the release `b6700`; null = there is
 * none, as in builds of one's own.
 */
export function findBuildNumber(version: string): number | null {
  const [, ...numbers] = /\(build (\d+)|^(\d+) \(|^b(\d+)$/.exec(version) ?? [];
  const found = numbers.find((number) => number !== undefined);
  return found === undefined ? null : Number(found);
}

/** Both have a number, and that of the version is lower; null = one of them has none. */
export function isOlderBuild(version: string, release: string): boolean | null {
  const [own, other] = [findBuildNumber(version), findBuildNumber(release)];
  return own === null || other === null ? null : own < other;
}
