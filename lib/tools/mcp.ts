/** State of MCP servers: programs and addresses that offer tools. JSON-serialisable. */
import type { AgentError } from "../events/error";
import type { Hash } from "../events/id";
import type { StoredToolState, ToolDefinition } from "./tool-definitions";

/** Command or address of a server, with its variables; secrets are masked. */
export interface McpLaunch {
  /** Program and arguments; empty for a server at an address. */
  readonly command: readonly string[];
  /** Address of a server that is not started by this program. */
  readonly address?: string;
  /** Names of the variables it gets beside the usual ones, or of the headers of each request. */
  readonly variables: readonly string[];
  /** File with more variables; absent = none. */
  readonly envFile?: string;
}

/**
 * ready = it can be called; off = the user switched it off; new = it was not there when the server was approved; changed =
 * it was defined otherwise then; gone = the server does not offer it any more; unusable = its schema cannot be presented.
 */
type McpToolStatus = StoredToolState | "unusable";

export interface McpToolView {
  /** As the model calls it. */
  readonly name: string;
  /** Its own name at the server. */
  readonly ownName: string;
  readonly status: McpToolStatus;
  /** Why it is unusable. */
  readonly detail?: string;
  /** Definition that the server sends now. */
  readonly definition: ToolDefinition;
  /** Hash that an approval is bound to: of the definition, or of its absence. */
  readonly hash: Hash;
  /** Definition that was approved; only of a changed one. */
  readonly approved?: ToolDefinition;
  readonly isPinned: boolean;
  /** Estimated tokens of its schema. */
  readonly tokens: number;
}

/**
 * unapproved = it never was, or would be started otherwise than approved; disabled = switched off in the file; the others are
 * states of its process. Without a process an approved server is `idle`.
 */
export type McpStatus = "unapproved" | "disabled" | "idle" | "starting" | "running" | "failed";

/** A value that a server's entry in a file names: a variable, or an input (`input:id`). */
export interface McpValueView {
  readonly name: string;
  /** Description in the file. */
  readonly description?: string;
  readonly isSecret: boolean;
  /** stored = the user entered it here; environment = this program was started with it; none = it has no value. */
  readonly from: "stored" | "environment" | "none";
}

/**
 * Why tools of a list are left out. unnamed = they have no name; too_many, too_large = they come after the limit;
 * too_many_pages = the list has more parts than are read; too_many_in_all = the servers of the project have more than 2,000
 * tools together, and those of later servers are left out of the catalogue.
 */
export type McpListProblem = "unnamed" | "too_many" | "too_large" | "too_many_pages" | "too_many_in_all";

export interface McpServerView {
  /** Start of the names of its tools, unique. */
  readonly id: string;
  /** Its key in the file. */
  readonly name: string;
  /** The file that names it: of the home, or of the project. */
  readonly file: string;
  readonly isOfProject: boolean;
  /** Files of the project that name a server like it after that one; what they say of it is not used. */
  readonly alsoIn?: readonly string[];
  /** Why its newest list of tools is not complete, or not all of it is used; absent = it is. */
  readonly listProblems?: readonly McpListProblem[];
  /** Values that it gets; absent = none. */
  readonly values?: readonly McpValueView[];
  readonly launch: McpLaunch;
  /** Hash of the launch, which an approval is bound to. */
  readonly launchHash: Hash;
  readonly status: McpStatus;
  /** Start of the current attempt, ms epoch; only while `starting`. */
  readonly since?: number;
  /** Why it cannot be started, or why the last attempt failed. */
  readonly error?: AgentError;
  /** Absent = it requires no sign-in, as far as is known. */
  readonly signIn?: "signed_in" | "signed_out" | "scope_missing";
  /** The permissions that it requires beside those of the sign-in; "" = it named none. Only while `scope_missing`. */
  readonly missingScope?: string;
  /** It runs the newest version of a package at each start. `isPinning` = that version is being looked up, to be written. */
  readonly unpinned?: { readonly isPinning: boolean };
  readonly instructions: string;
  /** Ordered by name. */
  readonly tools: readonly McpToolView[];
}

export interface McpState {
  /** Absolute path of the home's file. */
  readonly file: string;
  /** Ordered by id. */
  readonly servers: readonly McpServerView[];
  /** Problems with a file as a whole. */
  readonly problems: readonly { readonly file: string; readonly error: AgentError }[];
  /** Files of the project with servers, which are not read before the user trusts it; absent = none. */
  readonly untrusted?: readonly string[];
}

export interface McpPromptOffer {
  /** Id of the server. */
  readonly server: string;
  readonly name: string;
  /** In the words of the server; "" = none. */
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export interface McpResourceOffer {
  /** Id of the server. */
  readonly server: string;
  readonly uri: string;
  /** In the words of the server; "" = none. */
  readonly name: string;
  readonly description: string;
  readonly mime: string;
}

/** Prompts and resources that the composer offers from approved servers, as they listed them when they were tested. */
export interface McpOffers {
  readonly prompts: readonly McpPromptOffer[];
  readonly resources: readonly McpResourceOffer[];
}

/** A server that a text or a file of another program describes. */
export interface McpCandidate {
  readonly name: string;
  /** The program whose file has it, or "text". */
  readonly from: string;
  readonly launch: McpLaunch;
  /** Names of variables with literal secrets, which are moved to the key file when it is added. */
  readonly secrets: readonly string[];
  /** Why it cannot be added. */
  readonly error?: AgentError;
}

/** Servers that a text or the files of other programs describe. */
export interface McpFound {
  readonly candidates: readonly McpCandidate[];
  /** Servers that cannot be used, with `file` "" for those of a text; absent = none. */
  readonly skipped?: McpState["problems"];
  /** Files that could not be read; absent = none. */
  readonly unread?: McpState["problems"];
}
