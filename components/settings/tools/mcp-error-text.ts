/** Sentences for errors of MCP servers and of the files that name them: what happened, and the next step. Pure. */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { FullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";

/** Products that have a program which servers are often started with. */
const products: Readonly<Record<string, string>> = {
  node: "Node.js",
  npm: "Node.js",
  npx: "Node.js",
  bun: "Bun",
  bunx: "Bun",
  deno: "Deno",
  uv: "uv",
  uvx: "uv",
  docker: "Docker",
  python: "Python",
  python3: "Python",
};

const asText = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const asNumber = (value: Json | undefined): number => (typeof value === "number" ? value : 0);
const asTexts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** Replaces no-break spaces, which would be shown as invisible characters. */
const plainBlanks = (text: string): string => text.replaceAll("\u00a0", " ");

/** Hosts of the addresses that a call requires. */
const requiredHosts = (addresses: Json | undefined): string =>
  (Array.isArray(addresses) ? addresses : [])
    .flatMap((one) => (typeof one === "object" && one !== null && !Array.isArray(one) ? [asText(one.url)] : []))
    .flatMap((url) => (URL.canParse(url) ? [new URL(url).host] : []))
    .join(", ");

export const mcpErrorText = (error: AgentError, messages: FullMessages): string =>
  processText(error, messages) ??
  addressText(error, messages) ??
  signInText(error, messages) ??
  pinText(error, messages) ??
  entryText(error, messages) ??
  codeText(error, messages) ??
  messages.errors.sentences[error.code];

/** Errors without a reason. */
function codeText({ code, facts = {} }: AgentError, { mcp, figures }: FullMessages): string | undefined {
  const { problems } = mcp;
  const { name, limit, path } = facts;
  const sentences: { readonly [code in ErrorCode]?: string } = {
    not_found: mcp.missing,
    exists: typeof name === "string" ? problems.existsNamed(name) : problems.exists,
    no_permission: problems.noPermission,
    bad_input: typeof path === "string" ? problems.fileUnreadable : problems.badInput,
    changed_meanwhile: problems.changedMeanwhile,
    tool_failed: problems.unknown,
    ...(typeof path === "string" ? { timeout: problems.fileTooSlow } : {}),
    ...(typeof limit === "number"
      ? {
          too_many: problems.tooManyServers(limit),
          too_large: problems.fileTooLarge(plainBlanks(figures.bytes(limit))),
        }
      : {}),
  };
  return sentences[code];
}

/** Why a process cannot be used; null = the error is about something else. */
function processText({ facts = {} }: AgentError, messages: FullMessages): string | null {
  const { problems } = messages.mcp;
  const duration = messages.figures.duration(asNumber(facts.seconds) * 1_000);
  switch (facts.reason) {
    case "program_missing": {
      const program = asText(facts.program);
      const product = products[program];
      const next = product === undefined ? problems.installProgram : problems.comesWith(product);
      return joinSentences(messages, [problems.programMissing(program), next]);
    }
    case "folder_missing":
      return problems.folderMissing(asText(facts.folder));
    case "not_startable":
      return problems.notStartable(asText(facts.program));
    case "exited":
      if (typeof facts.exit === "number") return problems.exited(facts.exit);
      return typeof facts.signal === "string" ? problems.killed(facts.signal) : problems.ended;
    case "no_protocol":
      return typeof facts.host === "string" ? problems.noMcpAnswer(facts.host) : problems.noProtocol;
    case "no_version":
      return problems.noVersion;
    case "refused":
      return problems.refused;
    case "too_large":
      return problems.tooLarge;
    case "closed":
      return problems.closed;
    case "no_answer":
      return problems.noAnswer(duration);
    case "starting":
      return problems.starting(duration);
    case "waiting":
      return problems.waiting(asNumber(facts.failures));
    case "pausing":
      return problems.pausing(duration);
    default:
      return null;
  }
}

/** Why a server at an address cannot be used; null = the error is about something else. */
function addressText({ facts = {} }: AgentError, { mcp: { problems } }: FullMessages): string | null {
  const host = asText(facts.host);
  switch (facts.reason) {
    case "unreachable":
      return facts.proxy === undefined
        ? problems.unreachable(host)
        : problems.unreachableThrough(host, asText(facts.proxy));
    case "cut":
      return problems.cut(host);
    case "insecure":
      return problems.insecure(host);
    case "redirected":
      return problems.redirected(asText(facts.address));
    case "forbidden":
      return problems.forbidden(asNumber(facts.status));
    case "http_status":
      return problems.httpStatus(asNumber(facts.status));
    case "signed_out":
      return problems.signedOut;
    case "scope_missing":
      return problems.scopeMissing(asText(facts.scopes));
    case "session_expired":
      return problems.sessionExpired;
    case "address_required":
      return problems.addressRequired(requiredHosts(facts.addresses));
    default:
      return null;
  }
}

/** Why the user could not be signed in; null = the error is about something else. */
function signInText({ facts = {} }: AgentError, { mcp: { problems } }: FullMessages): string | null {
  switch (facts.reason) {
    case "sign_in_state":
      return problems.signInState;
    case "sign_in_denied":
      return problems.signInDenied;
    case "sign_in_unsupported":
      return problems.signInUnsupported;
    case "sign_in_address":
      return problems.signInAddress(asText(facts.host));
    case "sign_in_issuer":
      return typeof facts.issuer === "string"
        ? problems.signInMetadata(facts.issuer, asText(facts.expected))
        : problems.signInIssuer;
    case "sign_in_resource":
      return problems.signInResource(asText(facts.resource));
    case "sign_in_port":
      return problems.signInPort(asNumber(facts.port));
    case "sign_in_failed":
      return problems.signInFailed;
    default:
      return null;
  }
}

/** Why the version of a package was not found; null = the error is about something else. */
function pinText({ facts = {} }: AgentError, { mcp: { problems } }: FullMessages): string | null {
  switch (facts.reason) {
    case "pin_unknown":
      return problems.pinUnknown(asText(facts.name), asText(facts.registry));
    case "pin_unreachable":
      return problems.pinUnreachable(asText(facts.registry));
    case "pin_failed":
      return problems.pinFailed(asText(facts.name));
    default:
      return null;
  }
}

/** Why an entry of a file cannot be used; null = the error is about something else. */
function entryText({ facts = {} }: AgentError, messages: FullMessages): string | null {
  const { problems } = messages.mcp;
  const server = asText(facts.server);
  // Of a file that could not be changed; the place of other problems is shown beside their sentence.
  const path = asText(facts.path);
  const [line, column] = [asNumber(facts.line), asNumber(facts.column)];
  switch (facts.reason) {
    case "syntax": {
      const expected = expectedText(asText(facts.expected), messages);
      return path === "" ? problems.syntax(column, expected) : problems.fileSyntax(path, line, column, expected);
    }
    case "no_servers":
      return path === "" ? problems.noServers : problems.fileNoServers(path, line);
    case "repeated":
      return path === "" ? problems.repeatedEntry(asText(facts.name)) : problems.repeated(asText(facts.name));
    case "name":
      return problems.name(server);
    case "same_name":
      return problems.sameName(server, asText(facts.other));
    case "target":
      return problems.target(server);
    case "address":
      return problems.address(server);
    case "field":
      return problems.field(server, asText(facts.field));
    case "too_many":
      return problems.tooMany(server);
    case "missing_variables":
      return problems.variablesMissing(asTexts(facts.names).join(", "));
    case "untrusted":
      return messages.errors.sentences.untrusted;
    case "env_file":
      return problems.envFile(path);
    case "listed_above":
      return problems.listedAbove;
    default:
      return null;
  }
}

/** Characters are quoted. */
function expectedText(expected: string, { mcp }: FullMessages): string {
  const texts = mcp.problems.expected;
  const names: Readonly<Record<string, string>> = {
    "a value": texts.value,
    "a name in quotes": texts.name,
    "the end": texts.end,
    "a text without invalid escapes": texts.escapes,
    "a closing quote": texts.quote,
  };
  if (expected.endsWith("levels")) return texts.levels;
  return names[expected] ?? `"${expected}"`;
}

/** What a server or the system wrote about an error; "" = nothing. */
export function mcpErrorDetails({ detail = "", facts = {} }: AgentError): string {
  const lines = facts.reason === "no_protocol" ? asText(facts.line) : asTexts(facts.lines).join("\n");
  return [detail, lines].filter((part) => part !== "").join("\n");
}
