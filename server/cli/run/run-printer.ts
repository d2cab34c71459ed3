/**
 * Prints a run for the terminal: the assistant's text on one stream, a line per call and per failure on another. Works
 * from the view, not from events: after a reconnect the next view prints exactly the missing part.
 */
import type { ApprovalId } from "@/lib/events/id";
import { anyFacts } from "@/lib/events/error";
import { iterateBackward } from "@/lib/view/chunks";
import type { Envelope } from "@/lib/events/event";
import type { CallView, Entry, MessageEntry, SessionView } from "@/lib/view/view";
import type { AskUser } from "./approval-prompter";
import { cliErrorText } from "../cli-error-text";
import { stripControls } from "../terminal-text";
import { formatCallLine, formatUnansweredCall, formatUnrunCall } from "./call-line";

interface RunPrinter {
  /** Prints new content of the entries after `afterSeq`. */
  show(view: SessionView, afterSeq: number): void;
  /** A request that is denied because no user could answer it: the line of its call says so, and what to do. */
  markUnanswered(approvalId: ApprovalId): void;
  /** Prints a line of the program itself on the second stream. */
  note(line: string): void;
  /** Ends the last line of text. */
  end(): void;
}

/** Output of a run, including approval prompts. */
export interface RunOutput extends RunPrinter {
  /** Every envelope as received, for --json. */
  readonly events: (envelopes: readonly Envelope[]) => void;
  /** Asks the user to approve a call; null = no user to ask. */
  readonly ask: AskUser | null;
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
  const unanswered = new Set<ApprovalId>();
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

  const lineOf = (call: CallView): string => {
    const denied = call.state === "denied" ? call.approvals.at(-1) : undefined;
    if (denied === undefined || !unanswered.has(denied.approvalId)) return formatCallLine(call);
    return formatUnansweredCall(call, denied);
  };
  const showMessage = (entry: MessageEntry): void => {
    if (entry.role !== "assistant") return;
    writeTexts(
      entry.messageId,
      entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])),
    );
    for (const call of entry.calls) if (hasEnded(call)) once(call.callId, () => lineOf(call));
    entry.unrun?.forEach((call, index) => once(`${entry.messageId} ${index}`, () => formatUnrunCall(call)));
  };
  const showEntry = (entry: Entry): void => {
    if (entry.kind === "message") return showMessage(entry);
    if (entry.kind === "error") once(`${entry.seq}`, () => `gopi-web: ${cliErrorText(entry.error)}`);
    if (entry.kind === "retry") once(`${entry.seq}`, () => `· ${retryText(entry)}: ${cliErrorText(entry.error)}`);
  };

  return {
    show(view, afterSeq) {
      for (const entry of entriesAfter(view, afterSeq)) showEntry(entry);
    },
    markUnanswered: (approvalId) => void unanswered.add(approvalId),
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

const retryText = ({ attempt, of, delayMs, error }: Extract<Entry, { kind: "retry" }>): string =>
  anyFacts(error).waitMs === undefined
    ? `retrying, ${attempt} of ${of}`
    : `waiting ${Math.ceil(delayMs / 1000)} s, as the server requested`;

function entriesAfter(view: SessionView, seq: number): readonly Entry[] {
  const entries: Entry[] = [];
  for (const entry of iterateBackward(view.entries)) {
    if (entry.seq <= seq) break;
    entries.push(entry);
  }
  return entries.reverse();
}

const hasEnded = ({ state }: CallView): boolean => state !== "queued" && state !== "waiting" && state !== "running";
