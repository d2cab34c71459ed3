/** Splits a Markdown text into messages of a limited length, at paragraphs, lines or words; code blocks stay code blocks. */

const fenceMaxChars = 12;
/** A longer first line begins no code block. */
const infoMaxChars = 60;
const fenceStart = new RegExp(`^ {0,3}(\`{3,${fenceMaxChars}}|~{3,${fenceMaxChars}})([^\`\\n]{0,${infoMaxChars}})$`);
/** A line break and the end of a code block. */
const closingChars = fenceMaxChars + 1;

/** A code block that is open: the characters that end it, and its first line. */
interface OpenFence {
  readonly marker: string;
  readonly line: string;
}

/** `maxChars` ≥ 200, UTF-16 units. A code block that a border divides is closed before it and opened again after it. */
export function splitMessage(text: string, maxChars: number): readonly string[] {
  const messages: string[] = [];
  let rest = text.trim();
  let open: OpenFence | null = null;
  while (rest !== "") {
    const head: string = open === null ? "" : `${open.line}\n`;
    const isLast: boolean = head.length + rest.length <= maxChars && fenceAfter(rest, open) === null;
    const cut: number = isLast ? rest.length : findCut(rest, maxChars - head.length - closingChars, open);
    const part: string = rest.slice(0, cut);
    const after: OpenFence | null = fenceAfter(part, open);
    if (part.trim() !== "")
      messages.push(after === null ? head + part.trimEnd() : `${head}${part.replace(/\n$/, "")}\n${after.marker}`);
    rest = rest.slice(cut);
    rest = after === null ? rest.replace(/^\s*\n/, "") : rest.replace(/^\n/, "");
    open = rest === "" ? null : after;
    const [line = ""] = rest.split("\n", 1);
    if (open !== null && isFenceEnd(line, open)) {
      rest = rest.slice(line.length).trimStart();
      open = null;
    }
  }
  return messages;
}

/** Returns where the text is divided so that at most `room` characters precede: its end, or the best border. */
function findCut(text: string, room: number, open: OpenFence | null): number {
  if (text.length <= room) return text.length;
  const least = Math.floor(room / 3);
  let [paragraph, line, fence, at] = [-1, -1, open, 0];
  for (const one of text.slice(0, room).split("\n")) {
    if (at >= least) line = at;
    if (at >= least && fence === null && (one.trim() === "" || fenceStart.test(one))) paragraph = at;
    fence = nextFence(one, fence);
    at += one.length + 1;
  }
  const space = text.lastIndexOf(" ", room);
  const border = [paragraph, line, space >= least ? space : -1].find((one) => one > 0);
  if (border !== undefined) return border;
  return (text.charCodeAt(room - 1) & 0xfc00) === 0xd800 ? room - 1 : room;
}

const fenceAfter = (text: string, open: OpenFence | null): OpenFence | null =>
  text.split("\n").reduce((fence: OpenFence | null, line) => nextFence(line, fence), open);

function nextFence(line: string, open: OpenFence | null): OpenFence | null {
  if (open !== null) return isFenceEnd(line, open) ? null : open;
  const marker = fenceStart.exec(line)?.[1];
  return marker === undefined ? null : { marker, line: line.trim() };
}

function isFenceEnd(line: string, { marker }: OpenFence): boolean {
  const text = line.trim();
  return text.length >= marker.length && text === marker.charAt(0).repeat(text.length);
}
