/** Finds the preview in which the editor shows a text file. */
import { extensionOf } from "./project-path";

export type PreviewKind = "markdown" | "table" | "svg";

const kindByExtension: ReadonlyMap<string, PreviewKind> = new Map([
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["csv", "table"],
  ["tsv", "table"],
  ["svg", "svg"],
]);

/** By the name's extension; null = the file is shown only as text. */
export const previewKindOf = (path: string): PreviewKind | null => kindByExtension.get(extensionOf(path)) ?? null;
