/** Asks the user at the terminal to approve a call: shows the whole effect, takes one letter. */
import { createInterface } from "node:readline";
import { type ApprovalOption, ruleText } from "@/lib/policy";
import type { Hunk } from "@/lib/text/diff";
import type { Preview } from "@/lib/tool-kind";
import type { ApprovalView, CallView } from "@/lib/view";
import { visible } from "./visible-text";

export interface CardAnswer {
  readonly option: ApprovalOption;
  readonly reason?: string;
}

/** Denial for a request that no user can answer. */
export const nobodyAnswers: CardAnswer = { option: "deny", reason: "nobody could answer" };

/**
 * The user's answer, or `nobodyAnswers` at the end of input. `show` writes to the terminal. Rejects with the signal's
 * reason, for instance when the request was answered elsewhere.
 */
export async function askOnTerminal(
  call: CallView,
  approval: ApprovalView,
  show: (text: string) => void,
  signal: AbortSignal,
): Promise<CardAnswer> {
  show(`\n${cardText(call, approval.preview)}\n`);
  for (;;) {
    show(questionText(approval));
    const line = await readLine(signal);
    if (line === null) return nobodyAnswers;
    const answer = answerOf(line, approval.options);
    if (answer === "reason") {
      show("Why? ");
      const reason = (await readLine(signal))?.trim();
      return { option: "deny", ...(reason ? { reason } : {}) };
    }
    if (answer !== null) return { option: answer };
  }
}

/** The complete effect to decide on; invisible characters are escaped. */
export function cardText(call: CallView, preview: Preview | undefined): string {
  switch (preview?.kind) {
    case "command":
      return `Run in ${visible(preview.cwd)}${fenceText(preview)}:\n${indented(visible(preview.command))}`;
    case "diff":
      return `${preview.created ? "Create" : "Change"} ${visible(preview.path)}, +${preview.added} -${preview.removed}:\n${diffText(preview.hunks)}`;
    case "delete":
      return `Delete ${visible(preview.path)}${preview.folder ? `, a folder with ${preview.files} files` : ""} (can be restored from the trash)`;
    case undefined:
      return `${visible(call.name)} ${visible(call.target)}`;
  }
}

const fenceText = ({ sandbox }: Extract<Preview, { readonly kind: "command" }>): string =>
  sandbox === undefined ? "" : `, sandboxed (${sandbox.network ? "with" : "no"} network)`;

const signs = { same: " ", add: "+", remove: "-" } as const;

const diffText = (hunks: readonly Hunk[]): string =>
  hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const rows = lines.map(({ kind, text }) => `${signs[kind]}${visible(text.replace(/\r$/, ""))}`);
      return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...rows].join("\n");
    })
    .join("\n");

const indented = (text: string): string => text.replace(/^/gm, "    ");

function questionText({ options, rule }: ApprovalView): string {
  const always = rule === undefined ? "" : visible(ruleText(rule));
  const choices: Readonly<Record<ApprovalOption, string>> = {
    once: "y yes",
    always: `a always ${always}`,
    edits: "e yes to all edits in this session",
    deny: "n no, r no with a reason",
  };
  return `${options.map((option) => choices[option]).join(", ")}: `;
}

/** Parses an answer line: an offered option, "reason" for a denial with a reason, null for anything else. */
export function answerOf(line: string, options: readonly ApprovalOption[]): ApprovalOption | "reason" | null {
  const meanings: ReadonlyMap<string, ApprovalOption | "reason"> = new Map([
    ["y", "once"],
    ["yes", "once"],
    ["a", "always"],
    ["e", "edits"],
    ["n", "deny"],
    ["no", "deny"],
    ["r", "reason"],
  ]);
  const meant = meanings.get(line.trim().toLowerCase());
  if (meant === undefined || (meant !== "reason" && !options.includes(meant))) return null;
  return meant;
}

/** Reads one line of standard input, null at its end. The terminal mode is unchanged, so Ctrl+C remains a signal. */
function readLine(signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted();
  // An ended input emits no further events, not even close.
  if (!process.stdin.readable) return Promise.resolve(null);
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason);
      lines.close();
    };
    signal.addEventListener("abort", stop, { once: true });
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => {
      signal.removeEventListener("abort", stop);
      process.stdin.pause();
      resolve(null);
    });
  });
}
