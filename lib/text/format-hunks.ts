/** Hunks as the text of a unified diff. */
import type { Hunk } from "./diff";

const signs = { same: " ", add: "+", remove: "-" } as const;

/** Returns the hunks without the names of the files; empty without hunks. */
export const formatHunks = (hunks: readonly Hunk[] = []): string =>
  hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines.map((line) => `${signs[line.kind]}${line.text.replace(/\r$/, "")}`),
    ])
    .join("\n");
