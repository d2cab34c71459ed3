/**
 * Joins the lines of an answer that came together and say nothing but the next words: a fast model sends hundreds in one packet,
 * and each costs every reader behind it a turn. Pure but for its own state; called by ollama-fetch for each packet.
 */
import { limits } from "@/lib/settings";

export interface LineJoiner {
  /** The next line, and what was parsed of it. */
  add(line: string, parsed: object): void;
  /** All lines so far, joined where they could be, each with its line end. */
  text(): string;
}

type Kind = "content" | "thinking";

interface Words {
  readonly kind: Kind;
  readonly text: string;
}

interface Open extends Words {
  /** As the server sent it. */
  readonly line: string;
  readonly pieces: number;
}

/** A line that stands alone stays as it is. A joined one has at most `limits.joinPieceChars` and tells its `pieces`. */
export function makeLineJoiner(): LineJoiner {
  let done = "";
  let open: Open | null = null;
  const close = (): void => {
    if (open !== null) done += `${open.pieces === 1 ? open.line : joinedLine(open)}\n`;
    open = null;
  };
  return {
    add(line, parsed) {
      const words = wordsOf(parsed);
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

const joinedLine = ({ kind, text, pieces }: Open): string => JSON.stringify({ message: { [kind]: text }, pieces });

/** What a line of words has around them. */
const lineKeys: ReadonlySet<string> = new Set(["model", "created_at", "message", "done"]);
const messageKeys: ReadonlySet<string> = new Set(["role", "content", "thinking"]);

/** null = the line says something else, or something else too. */
function wordsOf(line: object): Words | null {
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
