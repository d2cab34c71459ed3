/** Splits a text at its top-level fenced code blocks, by the CommonMark rules for fences. */

export type FencedPart =
  | { readonly kind: "text"; readonly text: string }
  /** `info` = the info string after the opening fence; `lineBefore` = the last non-blank line before the fence. */
  | { readonly kind: "code"; readonly code: string; readonly info: string; readonly lineBefore: string };

interface OpenFence {
  readonly mark: string;
  readonly indent: number;
  readonly info: string;
  readonly lineBefore: string;
}

const openingFencePattern = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const closingFencePattern = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

function matchOpeningFence(line: string, before: readonly string[]): OpenFence | null {
  const [, indent = "", mark, info = ""] = openingFencePattern.exec(line) ?? [];
  if (mark === undefined) return null;
  const lineBefore = before.findLast((other) => other.trim() !== "")?.trim() ?? "";
  return { mark, indent: indent.length, info: info.trim(), lineBefore };
}

const isClosingFence = (line: string, { mark }: OpenFence): boolean =>
  closingFencePattern.exec(line)?.[1]?.startsWith(mark) === true;

/** Removes at most the indent of the fence from a code line. */
function removeIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && line[at] === " ") at += 1;
  return line.slice(at);
}

/** An unclosed fence extends to the end. The line breaks next to a fence belong to neither part. */
export function splitFencedParts(text: string): readonly FencedPart[] {
  const parts: FencedPart[] = [];
  let fence: OpenFence | null = null;
  let lines: string[] = [];
  const finish = (): void => {
    const joined = lines.join("\n");
    if (fence !== null) parts.push({ kind: "code", code: joined, info: fence.info, lineBefore: fence.lineBefore });
    else if (joined.trim() !== "") parts.push({ kind: "text", text: joined });
    lines = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const next: OpenFence | null = fence === null ? matchOpeningFence(line, lines) : null;
    if (next !== null) {
      finish();
      fence = next;
    } else if (fence !== null && isClosingFence(line, fence)) {
      finish();
      fence = null;
    } else lines.push(fence === null ? line : removeIndent(line, fence.indent));
  }
  finish();
  return parts;
}
