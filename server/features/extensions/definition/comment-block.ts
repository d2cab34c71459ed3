/** Finds the definition in the comments of a script: the lines below a comment `gopi:`. Pure. */

interface CommentBlock {
  readonly yaml: string;
  /** Line of the script in which the YAML begins, from 1. */
  readonly firstLine: number;
}

/** Lines of a script in which the block may begin. */
const maxLinesBefore = 200;
const head = /^[ \t]*(#|\/\/)[ \t]*gopi:[ \t]*$/;

/** Returns the block; null = there is none. It ends at the first line that is not a comment of the same kind. */
export function findCommentBlock(text: string): CommentBlock | null {
  const lines = text.split(/\r\n?|\n/);
  const at = lines.slice(0, maxLinesBefore).findIndex((line) => head.test(line));
  const sign = head.exec(lines[at] ?? "")?.[1];
  if (sign === undefined) return null;
  const yaml: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const trimmed = line.trimStart();
    if (!trimmed.startsWith(sign)) break;
    yaml.push(trimmed.slice(sign.length));
  }
  return { yaml: yaml.join("\n"), firstLine: at + 2 };
}
