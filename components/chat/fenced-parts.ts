/** Splits a text at its fenced code blocks, by the rules of CommonMark for fences that stand in no other block. */

export type FencedPart =
  | { readonly kind: "text"; readonly text: string }
  /** `info` = the words behind the opening fence; `lineBefore` = the last line above it that has text. */
  | { readonly kind: "code"; readonly code: string; readonly info: string; readonly lineBefore: string };

interface OpenFence {
  readonly mark: string;
  readonly indent: number;
  readonly info: string;
  readonly lineBefore: string;
}

const opening = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

function openFence(line: string, before: readonly string[]): OpenFence | null {
  const [, indent = "", mark, info = ""] = opening.exec(line) ?? [];
  if (mark === undefined) return null;
  const lineBefore = before.findLast((other) => other.trim() !== "")?.trim() ?? "";
  return { mark, indent: indent.length, info: info.trim(), lineBefore };
}

const closes = (line: string, { mark }: OpenFence): boolean => closing.exec(line)?.[1]?.startsWith(mark) === true;

/** A code line loses at most the indent of its fence. */
function withoutIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && line[at] === " ") at += 1;
  return line.slice(at);
}

/** A fence that is not closed reaches to the end. The line ends beside a fence belong to neither part. */
export function fencedParts(text: string): readonly FencedPart[] {
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
    const next: OpenFence | null = fence === null ? openFence(line, lines) : null;
    if (next !== null) {
      finish();
      fence = next;
    } else if (fence !== null && closes(line, fence)) {
      finish();
      fence = null;
    } else lines.push(fence === null ? line : withoutIndent(line, fence.indent));
  }
  finish();
  return parts;
}
