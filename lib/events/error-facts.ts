/** Facts of errors: their types by name, and those that each error code has. */
import type { ErrorCode } from "./error";
import type { Json } from "./content";
import type { ApiReason, ErrorReason, McpEntryFacts, McpFailure, PinReason, Reasoned } from "./error-reasons";
import type { ScriptStartReason, SignInReason } from "./error-reasons";
import type { InputFault } from "../workflows/input-values";
import type { Think, ToolMode } from "./event";
import type { WebFailure } from "./tool-kind";

/** Types of all facts, by name. A name with two types means different things. */
export const factTypes = {
  /** File or folder that the error is about; of a link, what it leads to. */
  path: "text",
  /** Reference of a message that the error is about. */
  reference: "text",
  address: "text",
  /** Addresses that the user must open, `RequiredAddress`. */
  addresses: "list",
  architecture: "text",
  /** The window that was requested, when the server allocated less; tokens. */
  asked: "number",
  /** Models or quantizations that exist, joined by commas. */
  available: "text",
  bytes: "number",
  calls: "number",
  character: "text",
  column: "number",
  command: "text",
  commandId: "text",
  commits: "number",
  copied: "number",
  /** Version of the server in which the fault is repaired. */
  cure: "text",
  detail: "text",
  encoding: "text",
  /** Process exit: a code, null = by a signal; of the built-in engine, a text. */
  exit: "number, text or null",
  expected: "number or text",
  extension: "text",
  failures: "number",
  feature: "text",
  field: "text",
  file: "text",
  files: "number",
  folder: "text",
  from: "text",
  hasOtherFile: "flag",
  /** Why a server refused earlier answers. */
  history: "text",
  host: "text",
  id: "text",
  in: "text",
  input: "text",
  interpreter: "text",
  isMemoryKill: "flag",
  issuer: "text",
  keyFile: "text",
  known: "number",
  lastSeq: "number",
  least: "number",
  level: "flag or text",
  library: "text",
  limit: "number",
  /** From 1; of a server that speaks no MCP, its first line. */
  line: "number, text or null",
  lines: "texts",
  malformed: "flag",
  maxBytes: "number",
  maxFiles: "number",
  maxTokens: "number",
  minutes: "number",
  missing: "flag",
  missingBytes: "number",
  model: "text",
  mostOutputTokens: "number",
  ms: "number",
  name: "text",
  names: "texts",
  near: "texts",
  notes: "texts",
  online: "texts",
  openAi: "text",
  other: "text",
  outcome: "text",
  period: "number",
  place: "text",
  port: "number",
  position: "number",
  privateHost: "text",
  problem: "text",
  program: "text",
  prompt: "text",
  provider: "text",
  proxy: "text",
  read: "number",
  reason: "text",
  refused: "texts",
  registry: "text",
  repository: "text",
  resource: "text",
  /** Time from which the server accepts requests again, ms epoch. */
  retryAt: "number",
  router: "flag",
  rule: "text",
  same: "flag",
  scopes: "text",
  seconds: "number",
  sent: "number",
  seq: "number",
  server: "text",
  sessionId: "text",
  signal: "text",
  speaks: "text",
  stallMs: "number",
  status: "number",
  step: "text",
  steps: "number",
  suggested: "text",
  systemCode: "text",
  takenPort: "text",
  target: "text",
  times: "number",
  tokens: "number",
  tool: "text",
  toolMode: "text",
  tools: "text",
  totalLines: "number or null",
  tried: "texts",
  type: "text",
  unit: "text",
  upTo: "number",
  v: "number",
  variable: "text",
  version: "number or text",
  /** Requested by the server, ms. */
  waitMs: "number",
  wants: "text",
  webFailure: "text or null",
  why: "text",
  window: "number",
} as const;

export type FactName = keyof typeof factTypes;

/** Names of the types. */
export type FactType = keyof FactValues;

interface FactValues {
  text: string;
  number: number;
  flag: boolean;
  texts: readonly string[];
  list: readonly Json[];
  "number or null": number | null;
  "number or text": number | string;
  "number, text or null": number | string | null;
  "text or null": string | null;
  "flag or text": boolean | string;
}

/** Any facts, for readers that do not depend on the code. */
export type AnyFacts = { readonly [Name in FactName]?: FactValues[(typeof factTypes)[Name]] };

type Facts<Name extends FactName> = Pick<AnyFacts, Name>;

/** Facts of a failure that may have a reason. */
type MaybeReasoned<Own, Reason extends ErrorReason> = Own & ({ readonly reason?: undefined } | Reasoned<Reason>);

/** Facts of every error. */
type SharedFacts = Facts<"path" | "reference" | "host"> & { readonly webFailure?: WebFailure | null };

/** Facts of an answer, or of a failed connection, of a model server. */
type ServerFacts = Facts<
  | ("status" | "model" | "host" | "proxy" | "position" | "waitMs" | "retryAt" | "tools")
  | ("refused" | "mostOutputTokens" | "near")
>;

export type ConnectionReason = "dns" | "refused" | "timeout" | "network" | "tls";

interface ConnectionFacts {
  readonly reason?: ConnectionReason;
}

/** Codes of the errors of a model server, or of a connection to it. */
type ServerCode =
  | ("server_unreachable" | "connection_lost" | "stalled" | "model_missing" | "no_tools" | "no_thinking" | "no_vision")
  | (
      | "no_think_level"
      | "out_of_memory"
      | "window_full"
      | "server_busy"
      | "key_refused"
      | "quota_used"
      | "wrong_address"
    )
  | ("wrong_scheme" | "answer_filtered" | "no_streaming" | "server_error" | "bad_answer" | "unparsed_answer")
  | (
      | "incomplete"
      | "output_limit"
      | "tool_refused"
      | "internal"
      | "disk_full"
      | "message_too_large"
      | "lost_arguments"
    );

/** Facts of the database. */
export type StoreFacts = Facts<
  | ("systemCode" | "sessionId" | "commandId" | "seq" | "lastSeq" | "from" | "upTo" | "copied" | "expected" | "v")
  | ("prompt" | "rule" | "version" | "known" | "path")
>;
type StoreCode =
  | ("store_newer" | "store_corrupt" | "store_locked" | "store_no_locks" | "store_readonly" | "store_failed")
  | ("internal" | "disk_full" | "not_found");

/** Facts of single codes, in the order of `errorCodes`. */
interface OwnFacts {
  bad_input: MaybeReasoned<
    Facts<"field" | "minutes" | "least" | "variable" | "input" | "problem" | "detail"> & {
      readonly totalLines?: number | null;
      readonly why?: "never" | "cron" | "too_often" | "zone" | "token" | "address" | InputFault["why"];
    },
    ApiReason | keyof McpEntryFacts | "missing_variables" | "env_file" | "untrusted"
  > & { readonly line?: number };
  not_allowed: MaybeReasoned<ServerFacts, "signed_out" | "scope_missing" | "address_required">;
  not_found: Facts<"available" | "command"> & { readonly reason?: "sign_in_state" };
  busy: Facts<"model" | "seconds" | "sessionId"> & { readonly reason?: "starting" };
  conflict: Facts<"step" | "host"> & { readonly why?: "webhook" | "other_program" };
  too_large: Facts<"limit" | "maxBytes" | "maxFiles" | "bytes" | "files" | "type" | "tokens" | "maxTokens" | "name"> & {
    readonly reason?: "too_large";
  };
  config_invalid: { readonly line?: number };
  models_invalid: { readonly line?: number };
  exists: Facts<"name" | "id"> & { readonly reason?: "listed_above" };
  binary: Facts<"bytes" | "type">;
  disk_full: Facts<"missingBytes">;
  changed_meanwhile: Facts<"step">;
  too_many: Facts<"limit" | "repository">;
  bad_encoding: Facts<"bytes" | "encoding"> & { readonly line?: number | null };
  unencodable: Facts<"encoding" | "character"> & { readonly line?: number };
  bad_path: Facts<"name">;
  no_formatter: Facts<"extension">;
  format_failed: Facts<"name">;
  git_locked: Facts<"seconds">;
  filter_off: Facts<"name">;
  not_merged: Facts<"files" | "commits">;
  conflicts_left: Facts<"files">;
  needs_terminal: Facts<"command">;
  no_match: Facts<"notes">;
  ambiguous: Facts<"notes">;
  tool_off: { readonly reason?: "server_off" | "not_admitted" };
  timeout: Facts<"ms" | "name" | "seconds"> & { readonly reason?: "no_answer" };
  aborted: { readonly reason?: "closed" };
  tool_failed: MaybeReasoned<
    Facts<"exit">,
    McpFailure["reason"] | SignInReason | PinReason | ApiReason | ScriptStartReason
  >;
  server_unreachable: Facts<"router" | "openAi" | "tried" | "online" | "suggested"> & ConnectionFacts;
  connection_lost: ConnectionFacts;
  stalled: Facts<"stallMs" | "cure">;
  model_missing: Facts<"provider" | "available" | "file">;
  download_failed: Facts<"host" | "status" | "privateHost" | "hasOtherFile">;
  engine_missing: Facts<"program"> & { readonly place?: "folder" | "file" | "nothing" };
  engine_ended: Facts<"program"> & { readonly exit?: string };
  engine_incompatible: Facts<"program" | "library">;
  start_failed: Facts<"takenPort">;
  model_unsupported: Facts<"architecture">;
  no_think_level: { readonly level?: Think };
  out_of_memory: Facts<"signal" | "isMemoryKill" | "window">;
  window_full: Facts<"tokens" | "window" | "asked">;
  key_refused: Facts<"missing" | "malformed"> & {
    readonly wants?: "user";
    readonly keyFile?: "too_large" | "unreadable";
  };
  wrong_address: Facts<"suggested" | "tried">;
  wrong_scheme: { readonly speaks?: "http" | "https" };
  server_error: { readonly history?: "reasoning_missing" | "reasoning_unwanted" | "call_ids" };
  unparsed_answer: { readonly toolMode?: ToolMode };
  prompt_cut: Facts<"sent" | "read" | "window" | "model">;
  message_too_large: Facts<"tokens" | "window" | "asked">;
  step_limit: Facts<"steps">;
  time_limit: Facts<"minutes" | "ms" | "steps">;
  loop_detected: Facts<"calls" | "period" | "times" | "same" | "tool" | "target">;
  repeated_text: Facts<"unit" | "times"> & { readonly in?: "steps" | "thinking" | "text" };
  think_limit: Facts<"tokens" | "limit"> & { readonly in?: "thinking" };
  answer_now: { readonly in?: "thinking" };
  feature_failed: Facts<"feature">;
  lost_call: Facts<"tokens">;
  bad_import: Facts<"version"> & { readonly line?: number };
}

type Of<Table, Code> = Code extends keyof Table ? Table[Code] : unknown;

/** The facts that errors of each code may have. */
export type ErrorFacts = {
  readonly [Code in ErrorCode]: SharedFacts &
    Of<OwnFacts, Code> &
    (Code extends ServerCode ? ServerFacts : unknown) &
    (Code extends StoreCode ? StoreFacts : unknown);
};
