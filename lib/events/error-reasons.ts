/** Facts of the errors with a `reason`, by reason. */

/** A page that must be opened before a server runs a call. */
export interface RequiredAddress {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  readonly elicitationId: string;
}

/** unattended = no user can answer; repeated = the user finished, and the server still requires an address. */
export type AddressOutcome = "declined" | "unanswered" | "unattended" | "repeated";

/** Facts about an MCP server. */
interface McpFacts {
  /** There is no such program. */
  program_missing: { readonly program: string };
  /** Its working folder does not exist; of a script, too. */
  folder_missing: { readonly folder: string };
  /** The system refused to start it. */
  not_startable: { readonly program: string };
  /** It ended; `lines` = its last ones. */
  exited: { readonly exit: number | null; readonly signal: string | null; readonly lines?: readonly string[] };
  /** Its output is not MCP; `line` = the first one. */
  no_protocol: { readonly line: string; readonly host?: string };
  /** It speaks no supported version of the protocol. */
  no_version: object;
  /** It answered with an error. */
  refused: object;
  no_answer: { readonly seconds: number };
  /** Its answer exceeds the limit. */
  too_large: object;
  /** The connection was ended from here. */
  closed: object;
  /** It has been starting for so long. */
  starting: { readonly seconds: number };
  /** After so many failed starts it is not started again before the user asks for it. */
  waiting: { readonly failures: number };
  /** No connection could be made, through the `proxy` of the environment if it has one; of an API, too. */
  unreachable: { readonly host: string; readonly proxy?: string };
  /** The connection ended before the answer. */
  cut: { readonly host: string };
  /** `host` is on the internet, without https. */
  insecure: { readonly host: string };
  /** It redirects to `address`, which is not followed; of an API, too. */
  redirected: { readonly address: string; readonly host?: string };
  forbidden: { readonly status: number };
  /** Also for an API. */
  http_status: { readonly status: number; readonly host?: string };
  /** It requires the user to sign in. */
  signed_out: object;
  /** The sign-in does not include the permissions `scopes`; "" = the server names none. */
  scope_missing: { readonly scopes: string };
  /** It has forgotten the session; the request was not run. */
  session_expired: object;
  /** The user must first open the `addresses`; [] = they cannot be shown. Without `outcome` the user was not asked. */
  address_required: { readonly addresses: readonly RequiredAddress[]; readonly outcome?: AddressOutcome };
}

/** Facts about a sign-in to an MCP server. */
interface SignInFacts {
  /** The return address is of no sign-in that runs: it is used, older than ten minutes, or of another one. */
  sign_in_state: object;
  /** The user or the authorization server refused. */
  sign_in_denied: object;
  /** The server offers no sign-in that can be used without a client id. */
  sign_in_unsupported: object;
  /** The address of `host` is neither https nor loopback, or is private while that of the server is not. */
  sign_in_address: { readonly host: string };
  /** Another authorization server answered than was asked, or its metadata name `issuer` in place of `expected`. */
  sign_in_issuer: { readonly issuer?: string; readonly expected?: string };
  /** The server's page about its sign-in is for `resource`, another server. */
  sign_in_resource: { readonly resource: string };
  /** The port of the return address is in use. */
  sign_in_port: { readonly port: number };
  sign_in_failed: object;
}

/** Facts about the pinned versions of packages. */
interface PinFacts {
  pin_unknown: { readonly name: string; readonly registry: string };
  pin_unreachable: { readonly registry: string };
  pin_failed: { readonly name: string; readonly lines: readonly string[] };
}

/** Place in a file, of which `path` is given only if it was to be changed; `line` from 1. */
interface FilePlace {
  readonly path?: string;
  readonly line?: number;
}

/** Facts about an entry in a file of MCP servers. */
export interface McpEntryFacts {
  /** Not JSON; of the document of an API, not YAML either. */
  syntax: FilePlace & { readonly column?: number; readonly expected?: string };
  /** No `mcpServers`. */
  no_servers: FilePlace;
  /** Empty or over 64 characters. */
  name: { readonly server: string };
  /** Neither a command nor an address. */
  target: { readonly server: string };
  /** No http(s) URL; of an API, without `server`. */
  address: { readonly server?: string };
  /** Beyond the limit of servers. */
  too_many: { readonly server: string };
  /** Differs from `other` at most in case. */
  same_name: { readonly server: string; readonly other: string };
  /** A member `field` of the wrong type. */
  field: { readonly server: string; readonly field: string };
  /** Another member of the same `name` follows, which alone counts: a server, or the list of servers. */
  repeated: FilePlace & { readonly name: string };
}

/** Facts about the variables of an MCP server. */
interface VariableFacts {
  missing_variables: { readonly names: readonly string[] };
  /** Its file of variables cannot be read. */
  env_file: { readonly path: string };
  /** The folder of the file is not trusted. */
  untrusted: object;
  /** A text that is added has the name twice. */
  listed_above: object;
  server_off: object;
  /** The configuration file excludes the tool. */
  not_admitted: object;
}

/** Facts about the document of an API. */
interface ApiFacts {
  empty: object;
  /** A web page. */
  html: object;
  not_openapi: object;
  swagger_1: object;
  /** A version that is not read. */
  version: { readonly version?: string };
  no_operations: object;
  too_complex: object;
  upload: object;
  key: object;
  key_pair: object;
  /** The stored copy. */
  damaged: { readonly detail?: string };
  not_http: { readonly host: string };
  /** The host, or one of its addresses, is not public. */
  not_public: { readonly host: string };
  unresolved: { readonly host: string };
  timeout: { readonly host: string };
  too_many_redirects: { readonly host: string };
  bad_answer: { readonly host: string };
}

/** Facts about a script that did not start. */
interface ScriptFacts {
  /** `command` = what corrects it. */
  not_executable: { readonly file: string; readonly command: string };
  no_interpreter: { readonly file: string; readonly interpreter: string };
  missing: { readonly file: string };
  not_copied: { readonly folder: string; readonly detail: string };
}

export interface ErrorReasonFacts
  extends McpFacts,
    SignInFacts,
    PinFacts,
    McpEntryFacts,
    VariableFacts,
    ApiFacts,
    ScriptFacts {}

export type ErrorReason = keyof ErrorReasonFacts;

/** Reason and facts of a failure. */
export type Reasoned<Reason extends ErrorReason> = {
  readonly [R in Reason]: { readonly reason: R } & ErrorReasonFacts[R];
}[Reason];

export type SignInReason = keyof SignInFacts;
export type PinReason = keyof PinFacts;
export type McpReason = keyof McpFacts;
/** Why an MCP server cannot be used. */
export type McpFailure = Reasoned<McpReason>;
export type ScriptStartReason = keyof ScriptFacts | "folder_missing";
export type ApiReason = keyof ApiFacts | "http_status" | "redirected" | "unreachable" | "syntax" | "address";

/** Reasons that the settings explain beside an API. Of the others they name the host. */
export type ApiTextReason = Exclude<
  ApiReason,
  "damaged" | "not_http" | "unresolved" | "timeout" | "too_many_redirects" | "bad_answer" | "unreachable"
>;

/** Reasons that the settings explain beside an MCP server. */
export type McpTextReason = Exclude<
  keyof McpFacts | keyof SignInFacts | keyof PinFacts | keyof McpEntryFacts | keyof VariableFacts,
  "server_off" | "not_admitted"
>;
