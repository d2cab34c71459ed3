/** Formats a call of a run as one line for the terminal. */
import type { UnrunCall } from "@/lib/events/content";
import { makeError } from "@/lib/events/error";
import { presentationOf } from "@/lib/events/tool-presentations";
import type { ExternalReason } from "@/lib/events/tool-kind";
import { toolVerb } from "@/lib/events/tool-verbs";
import type { ApprovalView, CallView } from "@/lib/view/view";
import { escapeInvisible } from "@/lib/text/escape-invisible";
import { cliErrorText } from "../cli-error-text";
import { describeGate } from "./terminal-approval";

/** Formats one call as a line: `· ran npm test · exit 1`. */
export function formatCallLine(call: CallView): string {
  const verb =
    call.state === "ok" || call.facts.exit !== undefined
      ? (toolVerb(call.kind, "past") ?? "called")
      : stateVerbs[call.state];
  return ["·", verb, formatCall(call), ...formatCallFacts(call).map((fact) => `· ${fact}`)].join(" ");
}

/** Formats a call that was taken for an example, about which the user can decide. */
export const formatUnrunCall = ({ name, input }: UnrunCall): string =>
  `· not run: ${firstLine(`${name} ${typeof input === "string" ? input : JSON.stringify(input)}`)}: run or dismiss it in the browser`;

/** Formats a call that was denied because no user could answer its request: why it asked, and how to allow it. */
export const formatUnansweredCall = (call: CallView, approval: ApprovalView): string =>
  `· ${stateVerbs.denied} ${formatCall(call)}: ${explainUnanswered(approval)}`;

function explainUnanswered({ preview, gate }: ApprovalView): string {
  if (gate !== undefined) return `the ${describeGate(gate)}; ${onceStep}`;
  const reason = preview?.kind === "external" ? preview.why : undefined;
  return reason === undefined ? `it needs your approval; ${onceStep}` : reasonTexts[reason];
}

const onceStep = "allow it once in a terminal or in the browser";

const reasonTexts: Readonly<Record<ExternalReason, string>> = {
  first_use: `its first call in a project needs your approval; ${onceStep}`,
  changed_definition: `it changed since you approved it; ${onceStep}`,
  new_host: "a new web host needs your approval; allow it always in a terminal or in the browser",
  unseen_url: `an address with a long query that only the model wrote needs your approval; ${onceStep}`,
  holds_secret: `what it sends contains a secret; ${onceStep}`,
  read_external: `the session has read content of others, so a change of the memory needs your approval; ${onceStep}`,
  untrusted_folder: `the folder is not trusted, so a change of the memory needs your approval; ${onceStep}`,
  first_message: `the first message of a session to a person needs your approval; ${onceStep}`,
  sends_file: `sending a file to a person needs your approval; ${onceStep}`,
  all_projects: `a note for all projects needs your approval; ${onceStep}`,
};

/** Formats the call; a kind without a verb of its own is named by its tool. */
function formatCall({ kind, name, target }: CallView): string {
  const words = toolVerb(kind, "past") === undefined || target === "" ? `${name} ${target}` : target;
  return firstLine(words);
}

const stateVerbs: Readonly<Record<CallView["state"], string>> = {
  queued: "waits:",
  waiting: "waits:",
  running: "runs:",
  ok: "did:",
  error: "failed:",
  denied: "denied",
  aborted: "stopped",
  unknown: "interrupted",
};

function formatCallFacts({ facts, changes, state, kind }: CallView): readonly string[] {
  const parts: string[] = [];
  if (facts.exit !== undefined) parts.push(`exit ${facts.exit}`);
  if (facts.signal !== undefined) parts.push(facts.signal);
  if (facts.ended !== undefined) parts.push(facts.ended.replace("_", " "));
  if (facts.sandboxFailure !== undefined) parts.push("probably stopped by the sandbox");
  if (presentationOf(kind).output === "matches" && facts.matches !== undefined)
    parts.push(`${facts.matches}${facts.more ? "+" : ""} matches`);
  if (state === "error" && facts.code !== undefined) parts.push(cliErrorText(makeError(facts.code)));
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
