/** Why an MCP server could not be used: errors with a code, and the sentence a model gets. */
import { type AgentError, fail } from "@/lib/events/error";
import type { AddressOutcome, ErrorReasonFacts, McpFailure, McpReason } from "@/lib/events/error-reasons";
import { isReasoned, type ReasonSentences, reasonSentence } from "@/lib/events/error-sentences";
import { escapeElements, toForeignLine } from "@/server/tools/toolbox/foreign-text";
import { toShortName } from "./server-text";

const codes: { readonly [Reason in McpReason]: AgentError["code"] } = {
  program_missing: "tool_failed",
  folder_missing: "tool_failed",
  not_startable: "tool_failed",
  exited: "tool_failed",
  no_protocol: "tool_failed",
  no_version: "tool_failed",
  refused: "tool_failed",
  waiting: "tool_failed",
  no_answer: "timeout",
  starting: "busy",
  too_large: "too_large",
  closed: "aborted",
  unreachable: "tool_failed",
  cut: "tool_failed",
  insecure: "tool_failed",
  redirected: "tool_failed",
  forbidden: "tool_failed",
  http_status: "tool_failed",
  signed_out: "not_allowed",
  scope_missing: "not_allowed",
  session_expired: "tool_failed",
  address_required: "not_allowed",
};

/** Returns the failure as an error; its facts are those of the failure, `reason` among them. */
export const failMcp = (failure: McpFailure, detail?: string) => fail(codes[failure.reason], detail, failure);

/** A failure inside code that can only throw. */
export class McpError extends Error {
  override readonly name = "McpError";
  constructor(readonly error: AgentError) {
    super(error.detail ?? error.code);
  }
}

const maxCauses = 5;

/** Returns the failure that an error has as its cause, at any level; null = none. */
export function failureIn(error: unknown): AgentError | null {
  let cause = error;
  for (let level = 0; level < maxCauses && cause instanceof Error; level += 1) {
    if (cause instanceof McpError) return cause.error;
    ({ cause } = cause);
  }
  return null;
}

/** Returns the reason of an error made by `failMcp`; null for any other. */
export const failureReason = ({ facts }: AgentError): McpReason | null =>
  isReasoned<McpReason>(codes, facts) ? facts.reason : null;

/** Values that the sentences need besides the facts. `words` = `detail` without elements. */
interface FailureContext {
  readonly name: string;
  readonly detail: string;
  readonly words: string;
}

const sentences: ReasonSentences<McpReason, FailureContext> = {
  program_missing: ({ program }, { name }) =>
    `The server ${name} cannot be started: there is no program "${program}" on this machine. Use another tool, or tell the user.`,
  folder_missing: ({ folder }, { name }) =>
    `The server ${name} cannot be started: its folder ${folder} does not exist. Use another tool, or tell the user.`,
  not_startable: (_facts, { name, words }) =>
    `The server ${name} cannot be started: ${words}. Use another tool, or tell the user.`,
  exited: ({ lines }, { name }) =>
    `The server ${name} ended. ${formatLastLine(name, lines)}Use another tool, or tell the user.`,
  no_protocol: (_facts, { name }) =>
    `The server ${name} does not answer as an MCP server. Use another tool, or tell the user.`,
  no_version: (_facts, { name }) =>
    `The server ${name} speaks no version of MCP that is supported here. Use another tool, or tell the user.`,
  refused: (_facts, { name, words }) =>
    `The server ${name} refused: [from ${name}] ${words === "" ? "(no reason given)" : words}`,
  no_answer: ({ seconds }, { name }) =>
    `The server ${name} did not answer within ${seconds} s. Try a smaller request, or use another tool.`,
  starting: ({ seconds }, { name }) =>
    `The server ${name} is still starting (${seconds} s so far). Try again later, or use another tool.`,
  waiting: (_facts, { name }) =>
    `The server ${name} could not be started several times and waits for the user. Use another tool, or tell the user.`,
  too_large: (_facts, { name }) => `The answer of the server ${name} is too large. Ask for less at once.`,
  closed: (_facts, { name }) => `The server ${name} was stopped. Try again, or use another tool.`,
  unreachable: ({ host, proxy }, { name }) =>
    `The server ${name} cannot be reached at ${host}${proxy === undefined ? "" : ` through the proxy ${proxy}`}. Use another tool, or tell the user.`,
  cut: (_facts, { name }) =>
    `The connection to the server ${name} ended before its answer: it may have run the call. Check that before you try again.`,
  insecure: (_facts, { name }) =>
    `The server ${name} is not used: its address has no https. Use another tool, or tell the user.`,
  redirected: (_facts, { name }) =>
    `The server ${name} redirects to another address, which is not followed. Use another tool, or tell the user.`,
  forbidden: ({ status }, { name }) =>
    `The server ${name} refused access (HTTP ${status}). Use another tool, or tell the user.`,
  http_status: ({ status }, { name }) =>
    `The server ${name} failed (HTTP ${status}). Try again later, or use another tool.`,
  signed_out: (_facts, { name }) =>
    `The user is signed out of the server ${name}. Ask the user to sign in to it in Settings > Tools, or use another tool.`,
  scope_missing: ({ scopes }, { name }) =>
    `The server ${name} needs another permission than the user gave it${scopes === "" ? "" : ` (${scopes})`}. Ask the user to sign in to it again in Settings > Tools, or use another tool.`,
  session_expired: (_facts, { name, words }) =>
    `The server ${name} has ended the session. ${words === "" ? "" : `[from ${name}] ${toForeignLine(words, 300)}\n`}Try again.`,
  address_required: describeRequired,
};

/** One or two sentences for the model: what happened, and what it can do. What the server said is marked. */
export function describeFailure(server: string, error: AgentError): string {
  const { code, detail = "" } = error;
  const [name, words] = [toShortName(server), escapeElements(detail)];
  return (
    reasonSentence(sentences, error, { name, detail, words }) ??
    `The server ${name} failed: ${words === "" ? code : words}`
  );
}

const outcomes: { readonly [Outcome in AddressOutcome]: string } = {
  declined: "The user declined.",
  unanswered: "Nobody answered within 10 minutes.",
  unattended: "No user is there to open it.",
  repeated: "The user has opened it, and the server still requires it.",
};

function describeRequired(
  { addresses, outcome }: ErrorReasonFacts["address_required"],
  { name, detail }: FailureContext,
): string {
  const hosts = addresses.map(({ url }) => new URL(url).host);
  if (hosts.length === 0)
    return `The server ${name} requires an address to be opened first, and names none that can be shown. Use another tool, or tell the user.`;
  return [
    `The call needs the user to open a page of the server ${name} first, at ${[...new Set(hosts)].join(", ")}.`,
    ...(outcome === undefined ? [] : [outcomes[outcome]]),
    ...(detail === "" ? [] : [`[from ${name}] ${toForeignLine(detail, 300)}\n`]),
    "Call it again only when the user wants that, or use another tool.",
  ].join(" ");
}

function formatLastLine(name: string, lines: readonly string[] = []): string {
  const last = lines.at(-1);
  return last === undefined ? "" : `Its last line was: [from ${name}] ${toForeignLine(last, 300)}\n`;
}

/** Before the result of a call during which the user did not answer: the server has its own words for that. */
export const unansweredNote = (server: string): string =>
  `[${toShortName(server)} asked the user, who did not answer within 10 minutes.]`;

/** The same for a call of one of its tools. */
export function describeCallFailure(server: string, ownName: string, error: AgentError): string {
  const [name, tool] = [toShortName(server), toForeignLine(ownName)];
  if (error.code === "gone")
    return `${name} does not offer ${tool} any more. Do not call it again; use another tool, or tell the user.`;
  if (error.code === "tool_off" && error.facts?.reason === "server_off")
    return `The server ${name} was switched off. Do not call its tools again; the user can switch it on in Settings > Tools.`;
  if (error.code === "tool_off" && error.facts?.reason === "not_admitted")
    return `${tool} of ${name} is excluded in the server's configuration file. Do not call it again; the user can admit it there.`;
  if (error.code === "tool_off")
    return `${tool} of ${name} was switched off. Do not call it again; the user can switch it on in Tools.`;
  if (error.code === "tool_changed" || error.code === "changed_meanwhile")
    return `${tool} of ${name} is defined differently from what the user approved. Do not call it again; the user can approve it in Tools.`;
  return describeFailure(server, error);
}
