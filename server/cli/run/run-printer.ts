/**
 * Prints a run for the terminal: the assistant's text on one stream, a line per call and per failure on another. Works
 * from the view, not from events: after a reconnect the next view prints exactly the missing part.
 */
import { presentationOf } from "@/lib/events/tool-presentations";
import { toolVerb } from "@/lib/events/tool-verbs";
import { iterateBackward } from "@/lib/view/chunks";
import type { Envelope } from "@/lib/events/event";
import type { CallView, Entry, MessageEntry, SessionView } from "@/lib/view/view";
import { cliErrorText } from "../cli-error-text";
import { stripControls, escapeInvisible } from "../terminal-text";

interface RunPrinter {
  /** Prints new content of the entries after `afterSeq`. */
  show(view: SessionView, afterSeq: number): void;
  /** Prints a line of the program itself on the second stream. */
  note(line: string): void;
  /** Ends the last line of text. */
  end(): void;
}

/** Output of a run, including approval prompts. */
export interface RunOutput extends RunPrinter {
  /** Every envelope as received, for --json. */
  readonly events: (envelopes: readonly Envelope[]) => void;
  /** Writes a prompt; null = no user to ask. */
  readonly ask: ((text: string) => void) | null;
}

interface PrinterOptions {
  /** Writes the answer text unchanged. */
  readonly text: (text: string) => void;
  /** Writes lines for the user: calls, failures, prompts. */
  readonly lines: (text: string) => void;
  /** The answer goes to a terminal, so control sequences are removed. */
  readonly terminal: boolean;
  readonly colours: boolean;
}

export function makeRunPrinter(options: PrinterOptions): RunPrinter {
  const reported = new Set<string>();
  let openBlock: string | null = null;
  let atLineStart = true;

  const write = (key: string, fresh: string): void => {
    if (fresh === "") return;
    // Two texts are two paragraphs; calls in between have already ended the line of the first.
    if (openBlock !== key && openBlock !== null) options.text(atLineStart ? "\n" : "\n\n");
    openBlock = key;
    options.text(options.terminal ? stripControls(fresh) : fresh);
    atLineStart = fresh.endsWith("\n");
  };
  const writeTexts = makeTextWriter(write);
  const endLine = (): void => {
    if (!atLineStart) options.text("\n");
    atLineStart = true;
  };
  const note = (line: string): void => {
    endLine();
    options.lines(options.colours ? `\u001b[2m${line}\u001b[22m\n` : `${line}\n`);
  };
  const once = (key: string, line: () => string): void => {
    if (reported.has(key)) return;
    reported.add(key);
    note(line());
  };

  const showMessage = (entry: MessageEntry): void => {
    if (entry.role !== "assistant") return;
    writeTexts(
      entry.messageId,
      entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])),
    );
    for (const call of entry.calls) if (hasEnded(call)) once(call.callId, () => formatCallLine(call));
  };
  const showEntry = (entry: Entry): void => {
    if (entry.kind === "message") return showMessage(entry);
    if (entry.kind === "error") once(`${entry.seq}`, () => `gopi-web: ${cliErrorText(entry.error)}`);
    if (entry.kind === "retry")
      once(`${entry.seq}`, () => `· retrying, ${entry.attempt} of ${entry.of}: ${cliErrorText(entry.error)}`);
  };

  return {
    show(view, afterSeq) {
      for (const entry of entriesAfter(view, afterSeq)) showEntry(entry);
    },
    note,
    end: endLine,
  };
}

/**
 * Prints the continuation of printed texts. Printed text cannot be taken back, so of a changed text only the new end is
 * printed.
 */
function makeTextWriter(write: (key: string, fresh: string) => void): (id: string, texts: readonly string[]) => void {
  /** Printed texts of each message, in order. */
  const printed = new Map<string, string[]>();
  return (id, texts) => {
    const out = printed.get(id) ?? [];
    printed.set(id, out);
    const rest = findUnprinted(out, texts);
    rest?.texts.forEach((text, index) => {
      const at = rest.at + index;
      write(`${id}:${at}`, text.slice((out[at] ?? "").length));
      out[at] = text;
    });
  };
}

/**
 * Unprinted rest of `texts`, from paragraph `at` on. If paragraphs were joined, or some became thinking, the rest
 * starts where the last printed words end. null = nothing new.
 */
function findUnprinted(
  out: readonly string[],
  texts: readonly string[],
): { readonly at: number; readonly texts: readonly string[] } | null {
  const last = Math.max(0, out.length - 1);
  const same = out.every(
    (text, index) => (texts[index] ?? "").startsWith(text) && (index === last || texts[index] === text),
  );
  if (same) return { at: last, texts: texts.slice(last) };
  const printedTexts = out.map((text) => text.trim()).filter((text) => text !== "");
  let index = 0;
  let from = 0;
  for (const text of printedTexts) {
    const found = texts.findIndex((one, place) => place >= index && one.indexOf(text, place === index ? from : 0) >= 0);
    if (found < 0) continue;
    from = (texts[found] ?? "").indexOf(text, found === index ? from : 0) + text.length;
    index = found;
  }
  const rest = [(texts[index] ?? "").slice(from), ...texts.slice(index + 1)].map((text) => text.trimStart());
  const fresh = rest.filter((text) => text !== "");
  return fresh.length === 0 ? null : { at: out.length, texts: fresh };
}

function entriesAfter(view: SessionView, seq: number): readonly Entry[] {
  const entries: Entry[] = [];
  for (const entry of iterateBackward(view.entries)) {
    if (entry.seq <= seq) break;
    entries.push(entry);
  }
  return entries.reverse();
}

const hasEnded = ({ state }: CallView): boolean => state !== "queued" && state !== "waiting" && state !== "running";

/** Formats one call as a line: `· ran npm test · exit 1`. */
export function formatCallLine(call: CallView): string {
  const target = firstLine(call.target || call.name);
  const verb =
    call.state === "ok" || call.facts.exit !== undefined
      ? (toolVerb(call.kind, "past") ?? "called")
      : stateVerbs[call.state];
  return ["·", verb, target, ...formatCallFacts(call).map((fact) => `· ${fact}`)].join(" ");
}

const stateVerbs: Readonly<Record<CallView["state"], string>> = {
  queued: "waits:",
  waiting: "waits:",
  running: "runs:",
  ok: "did:",
  error: "failed:",
  denied: "denied:",
  aborted: "stopped:",
  unknown: "interrupted:",
};

function formatCallFacts({ facts, changes, state, kind }: CallView): readonly string[] {
  const parts: string[] = [];
  if (facts.exit !== undefined) parts.push(`exit ${facts.exit}`);
  if (facts.signal !== undefined) parts.push(facts.signal);
  if (facts.ended !== undefined) parts.push(facts.ended.replace("_", " "));
  if (presentationOf(kind).output === "matches" && facts.matches !== undefined) parts.push(`${facts.matches} matches`);
  if (state === "error" && facts.code !== undefined) parts.push(cliErrorText({ code: facts.code }));
  const added = (changes ?? []).reduce((sum, change) => sum + change.added, 0);
  const removed = (changes ?? []).reduce((sum, change) => sum + change.removed, 0);
  if (added + removed > 0) parts.push(`+${added} -${removed}`);
  return parts;
}

const targetMaxChars = 120;

/** The first line, cut at a whole character. */
function firstLine(text: string): string {
  const [line = "", ...more] = text.trim().split("\n");
  const signs = [...escapeInvisible(line.replaceAll("\t", " "))];
  const cut = signs.length > targetMaxChars || more.length > 0;
  return `${signs.slice(0, targetMaxChars).join("")}${cut ? " …" : ""}`;
}
