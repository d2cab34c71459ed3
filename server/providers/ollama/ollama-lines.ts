/**
 * Merges lines that arrived in one packet and contain only text: a fast model sends hundreds in one packet, and each
 * line costs every later stage one event loop turn. Pure apart from its own state.
 */
import { limits } from "@/lib/settings/settings";

export interface LineJoiner {
  /** Adds the next line and its parsed form. */
  add(line: string, parsed: object): void;
  /** Returns all lines so far, merged where possible, each with its line end. */
  text(): string;
}

type TextKind = "content" | "thinking";

interface TextLine {
  readonly kind: TextKind;
  readonly text: string;
}

interface OpenTextLine extends TextLine {
  /** As sent by the server. */
  readonly line: string;
  readonly pieces: number;
}

/** A single line stays unchanged. A merged line has at most `limits.joinPieceChars` characters and a `pieces` count. */
export function makeLineJoiner(): LineJoiner {
  let done = "";
  let open: OpenTextLine | null = null;
  const close = (): void => {
    if (open !== null) done += `${open.pieces === 1 ? open.line : formatJoinedLine(open)}\n`;
    open = null;
  };
  return {
    add(line, parsed) {
      const words = parseTextLine(parsed);
      if (
        words !== null &&
        open?.kind === words.kind &&
        open.text.length + words.text.length <= limits.joinPieceChars
      ) {
        open = { ...open, text: open.text + words.text, pieces: open.pieces + 1 };
        return;
      }
      close();
      if (words === null) done += `${line}\n`;
      else open = { ...words, line, pieces: 1 };
    },
    text() {
      close();
      return done;
    },
  };
}

const formatJoinedLine = ({ kind, text, pieces }: OpenTextLine): string =>
  JSON.stringify({ message: { [kind]: text }, pieces });

/** Keys that a text-only line may have. */
const lineKeys: ReadonlySet<string> = new Set(["model", "created_at", "message", "done"]);
const messageKeys: ReadonlySet<string> = new Set(["role", "content", "thinking"]);

/** null = the line carries anything besides text. */
function parseTextLine(line: object): TextLine | null {
  if (!("message" in line) || ("done" in line && line.done !== false) || !hasOnly(line, lineKeys)) return null;
  const { message } = line;
  if (typeof message !== "object" || message === null || !hasOnly(message, messageKeys)) return null;
  const content = "content" in message ? message.content : "";
  const thinking = "thinking" in message ? message.thinking : "";
  if (typeof content !== "string" || typeof thinking !== "string" || (content === "") === (thinking === ""))
    return null;
  return content === "" ? { kind: "thinking", text: thinking } : { kind: "content", text: content };
}

function hasOnly(value: object, keys: ReadonlySet<string>): boolean {
  for (const key in value) if (!keys.has(key)) return false;
  return true;
}
