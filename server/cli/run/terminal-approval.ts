/** Asks the user at the terminal to approve a call: shows the whole effect, takes one letter. */
import type { GateFailure, GateNote } from "@/lib/permissions/gate";
import { type ApprovalOption, formatRulePattern } from "@/lib/permissions/policy";
import type { CallPreview } from "@/lib/events/tool-kind";
import { approvalText, type ApprovalWords } from "@/lib/view/approval-text";
import type { ApprovalView, CallView } from "@/lib/view/view";
import { escapeInvisible } from "@/lib/text/escape-invisible";
import { discardTyped, readLine } from "../read-line";

export interface TerminalAnswer {
  readonly option: ApprovalOption;
  readonly reason?: string;
}

/** Denial for a request that no user can answer. */
export const unansweredDenial: TerminalAnswer = { option: "deny", reason: "nobody could answer" };

/**
 * The user's answer, or `unansweredDenial` at the end of input. `show` writes to the terminal. Rejects with the signal's
 * reason, for instance when the request was answered elsewhere.
 */
export async function promptApproval(
  call: CallView,
  approval: ApprovalView,
  show: (text: string) => void,
  signal: AbortSignal,
): Promise<TerminalAnswer> {
  const typedBefore = await discardTyped();
  signal.throwIfAborted();
  show(`\n${formatApproval(call, approval.preview)}\n${formatGate(approval)}`);
  if (typedBefore) show("What you typed before this question is not used.\n");
  for (;;) {
    show(formatChoices(approval));
    const line = await readLine(signal);
    if (line === null) return unansweredDenial;
    const answer = parseReply(line, approval.options);
    if (answer === "reason") {
      show("Why? ");
      const reason = (await readLine(signal))?.trim();
      return { option: "deny", ...(reason ? { reason } : {}) };
    }
    if (answer !== null) return { option: answer };
  }
}

/** The complete effect to decide on; invisible characters are escaped. */
export function formatApproval(call: CallView, preview: CallPreview | undefined): string {
  const { head, body } = approvalText(call, preview, words);
  if (body === "") return head;
  return `${head}:\n${preview?.kind === "diff" ? body : body.replace(/^/gm, "    ")}`;
}

const words: ApprovalWords = {
  run: (folder, network) =>
    `Run in ${folder}${network === undefined ? "" : `, sandboxed (${network ? "with" : "no"} network)`}`,
  create: (path) => `Create ${path}`,
  change: (path) => `Change ${path}`,
  delete: (path, files) =>
    `Delete ${path}${files === undefined ? "" : `, a folder with ${files} files`} (can be restored from the trash)`,
  callOf: (tool, source) => `Call ${tool} of ${source} with`,
};

/** Why a gate asks; "" = none does. */
const formatGate = ({ gate }: Pick<ApprovalView, "gate">): string =>
  gate === undefined ? "" : `The ${describeGate(gate)}\n`;

export function describeGate(note: GateNote): string {
  const causes: Readonly<Record<GateFailure, string>> = {
    late: "did not answer in time",
    broken: "failed",
    changed: "changed since it was enabled",
    not_loaded: "could not be read",
  };
  const cause = note.failure === undefined ? "asks" : `${causes[note.failure]}, so it asks`;
  const detail = note.file ?? note.reason;
  const reason = detail === "" ? "" : `: ${escapeInvisible(detail)}`;
  return `gate of ${escapeInvisible(note.gate === "" ? "the extensions" : note.gate)} ${cause}${reason}`;
}

const choiceLetters: Readonly<Record<ApprovalOption, string>> = {
  once: "y",
  always: "a",
  network: "w",
  edits: "e",
  deny: "n",
};

/** The choices with their numbers and letters. */
export function formatChoices({ options, rule }: Pick<ApprovalView, "options" | "rule">): string {
  const always = rule === undefined ? "" : ` ${escapeInvisible(formatRulePattern(rule))}`;
  const choices: Readonly<Record<ApprovalOption, string>> = {
    once: "yes",
    always: `always${always}`,
    network: "yes, with the network for this session",
    edits: "yes to all edits in this session",
    deny: "no",
  };
  const lines = options.map((option, index) => `  ${index + 1}, ${choiceLetters[option]}  ${choices[option]}`);
  return `${[...lines, `  ${options.length + 1}, r  no, with a reason`].join("\n")}\nNumber or letter: `;
}

/** Parses an answer line: an offered option, "reason" for a denial with a reason, null for anything else. */
export function parseReply(line: string, options: readonly ApprovalOption[]): ApprovalOption | "reason" | null {
  const reply = line.trim().toLowerCase();
  if (reply === "r" || reply === `${options.length + 1}`) return "reason";
  const letter = reply === "yes" || reply === "no" ? reply.slice(0, 1) : reply;
  return options.find((option, index) => letter === choiceLetters[option] || letter === `${index + 1}`) ?? null;
}
