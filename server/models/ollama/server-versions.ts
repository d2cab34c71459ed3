/** Differences between server versions that cannot be detected from answers. Pure. */

/** Version ranges whose prompt counts exclude cached tokens; `before` is exclusive. */
const partialCounts: readonly { readonly from: string; readonly before: string }[] = [
  { from: "0", before: "0.5" },
  { from: "0.30.0", before: "0.30.1" },
];

/**
 * Whether the server's prompt counts include cached tokens. An unknown version (a custom build) counts as a new one.
 */
export const countsWholePrompt = (version: string | undefined): boolean =>
  version === undefined ||
  !isReleased(version) ||
  !partialCounts.some(
    ({ from, before }) => compareVersions(version, from) >= 0 && compareVersions(version, before) < 0,
  );

/** Builds without a version report 0.0.0. */
const isReleased = (version: string): boolean => /^v?\d+\.\d+/.test(version) && !/^v?0\.0\.0/.test(version);

function compareVersions(a: string, b: string): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const versionNumbers = (version: string): readonly number[] =>
  (/^v?([\d.]+)/.exec(version)?.[1] ?? "").split(".").map((part) => Number(part));
