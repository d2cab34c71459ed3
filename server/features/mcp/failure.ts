/** Why an MCP server could not be used: errors with a code, and the sentence a model gets. */
import { type AgentError, fail } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import { escapeElements, toForeignLine } from "@/server/tools/toolbox/foreign-text";
import { readRequiredAddresses, type RequiredAddress } from "./elicitation";
import { toShortName } from "./server-text";

/**
 * program_missing = no such `program`; folder_missing = its working `folder` does not exist; not_startable = the system
 * refused to start it; exited = it ended, with its `exit` or `signal` and last `lines`; no_protocol = its output is not
 * MCP, `line` is the first one; no_version = it speaks no supported version of the protocol; refused = it answered with
 * an error; no_answer = nothing came within `seconds`; too_large = its answer exceeds the limit; closed = the connection
 * was ended from here; starting = it has been starting for `seconds`; waiting = after `failures` failed starts it is not
 * started again before the user asks for it. Of servers at an address: unreachable = no connection to `host` could be
 * made, through the `proxy` of the environment if it has one; cut = the connection ended before the answer; insecure = `host` is on the internet, without https; redirected = it
 * redirects to `address`, which is not followed; signed_out = it requires the user to sign in; scope_missing = the sign-in
 * does not include the permissions `scopes` ("" = it names none); forbidden and http_status = it answered with the `status`; session_expired = it has forgotten the session, the request was not run. address_required
 * = the user must first open the `addresses` ([] = they cannot be shown); `outcome` says what came of it, absent = the user
 * was not asked.
 */
export type McpFailure =
  | { readonly reason: "program_missing"; readonly program: string }
  | { readonly reason: "folder_missing"; readonly folder: string }
  | { readonly reason: "not_startable"; readonly program: string }
  | {
      readonly reason: "exited";
      readonly exit: number | null;
      readonly signal: string | null;
      readonly lines: readonly string[];
    }
  | { readonly reason: "no_protocol"; readonly line: string; readonly host?: string }
  | { readonly reason: "no_version" | "refused" | "too_large" | "closed" }
  | { readonly reason: "no_answer" | "starting"; readonly seconds: number }
  | { readonly reason: "waiting"; readonly failures: number }
  | { readonly reason: "unreachable" | "cut"; readonly host: string; readonly proxy?: string }
  | { readonly reason: "insecure"; readonly host: string }
  | { readonly reason: "redirected"; readonly address: string }
  | { readonly reason: "forbidden" | "http_status"; readonly status: number }
  | { readonly reason: "signed_out" | "session_expired" }
  | { readonly reason: "scope_missing"; readonly scopes: string }
  | {
      readonly reason: "address_required";
      readonly addresses: readonly RequiredAddress[];
      readonly outcome?: AddressOutcome;
    };

/** unattended = no user can answer; repeated = the user finished, and the server still requires an address. */
export type AddressOutcome = "declined" | "unanswered" | "unattended" | "repeated";

type FailureReason = McpFailure["reason"];

const codes: { readonly [Reason in FailureReason]: AgentError["code"] } = {
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

const toFacts = (failure: McpFailure): { readonly [name: string]: Json } =>
  failure.reason === "address_required"
    ? { ...failure, addresses: failure.addresses.map((address) => ({ ...address })) }
    : { ...failure };

/** Returns the failure as an error; its facts are those of the failure, `reason` among them. */
export function failMcp(failure: McpFailure, detail?: string): { readonly ok: false; readonly error: AgentError } {
  const facts = toFacts(failure);
  return fail(codes[failure.reason], detail, facts);
}

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

const reasons: ReadonlySet<Json | undefined> = new Set(Object.keys(codes));
const isReason = (value: Json | undefined): value is FailureReason => reasons.has(value);

/** Returns the reason of an error made by `failMcp`; null for any other. */
export function failureReason({ facts }: AgentError): FailureReason | null {
  const reason = facts?.reason;
  return isReason(reason) ? reason : null;
}

const asText = (value: Json | undefined): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));

/** One or two sentences for the model: what happened, and what it can do. What the server said is marked. */
export function describeFailure(server: string, error: AgentError): string {
  const { facts = {} } = error;
  const detail = escapeElements(error.detail ?? "");
  const name = toShortName(server);
  const seconds = asText(facts.seconds);
  const sentences: { readonly [Reason in FailureReason]: string } = {
    program_missing: `The server ${name} cannot be started: there is no program "${asText(facts.program)}" on this machine. Use another tool, or tell the user.`,
    folder_missing: `The server ${name} cannot be started: its folder ${asText(facts.folder)} does not exist. Use another tool, or tell the user.`,
    not_startable: `The server ${name} cannot be started: ${detail}. Use another tool, or tell the user.`,
    exited: `The server ${name} ended. ${formatLastLine(name, facts.lines)}Use another tool, or tell the user.`,
    no_protocol: `The server ${name} does not answer as an MCP server. Use another tool, or tell the user.`,
    no_version: `The server ${name} speaks no version of MCP that is supported here. Use another tool, or tell the user.`,
    refused: `The server ${name} refused: [from ${name}] ${detail === "" ? "(no reason given)" : detail}`,
    no_answer: `The server ${name} did not answer within ${seconds} s. Try a smaller request, or use another tool.`,
    starting: `The server ${name} is still starting (${seconds} s so far). Try again later, or use another tool.`,
    waiting: `The server ${name} could not be started several times and waits for the user. Use another tool, or tell the user.`,
    too_large: `The answer of the server ${name} is too large. Ask for less at once.`,
    closed: `The server ${name} was stopped. Try again, or use another tool.`,
    unreachable: `The server ${name} cannot be reached at ${asText(facts.host)}${facts.proxy === undefined ? "" : ` through the proxy ${asText(facts.proxy)}`}. Use another tool, or tell the user.`,
    cut: `The connection to the server ${name} ended before its answer: it may have run the call. Check that before you try again.`,
    insecure: `The server ${name} is not used: its address has no https. Use another tool, or tell the user.`,
    redirected: `The server ${name} redirects to another address, which is not followed. Use another tool, or tell the user.`,
    forbidden: `The server ${name} refused access (HTTP ${asText(facts.status)}). Use another tool, or tell the user.`,
    http_status: `The server ${name} failed (HTTP ${asText(facts.status)}). Try again later, or use another tool.`,
    signed_out: `The user is signed out of the server ${name}. Ask the user to sign in to it in Settings > Tools, or use another tool.`,
    scope_missing: `The server ${name} needs another permission than the user gave it${facts.scopes === "" ? "" : ` (${asText(facts.scopes)})`}. Ask the user to sign in to it again in Settings > Tools, or use another tool.`,
    session_expired: `The server ${name} has ended the session. ${detail === "" ? "" : `[from ${name}] ${toForeignLine(detail, 300)}\n`}Try again.`,
    address_required: describeRequired(name, error),
  };
  const reason = failureReason(error);
  return reason === null ? `The server ${name} failed: ${detail === "" ? error.code : detail}` : sentences[reason];
}

const outcomes: { readonly [Outcome in AddressOutcome]: string } = {
  declined: "The user declined.",
  unanswered: "Nobody answered within 10 minutes.",
  unattended: "No user is there to open it.",
  repeated: "The user has opened it, and the server still requires it.",
};
const isOutcome = (value: Json | undefined): value is AddressOutcome => typeof value === "string" && value in outcomes;

function describeRequired(name: string, { facts = {}, detail = "" }: AgentError): string {
  const hosts = readRequiredAddresses(facts.addresses).map(({ url }) => new URL(url).host);
  if (hosts.length === 0)
    return `The server ${name} requires an address to be opened first, and names none that can be shown. Use another tool, or tell the user.`;
  return [
    `The call needs the user to open a page of the server ${name} first, at ${[...new Set(hosts)].join(", ")}.`,
    ...(isOutcome(facts.outcome) ? [outcomes[facts.outcome]] : []),
    ...(detail === "" ? [] : [`[from ${name}] ${toForeignLine(detail, 300)}\n`]),
    "Call it again only when the user wants that, or use another tool.",
  ].join(" ");
}

function formatLastLine(name: string, lines: Json | undefined): string {
  const last = Array.isArray(lines) ? lines.at(-1) : undefined;
  return typeof last === "string" ? `Its last line was: [from ${name}] ${toForeignLine(last, 300)}\n` : "";
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
