/** Data types for modes, rules and policy decisions; the decisions are made in server/security/decisions/decide.ts. */
import type { ErrorCode } from "../events/error";
import type { Hash, ProjectId, RuleId } from "../events/id";

/** plan = read-only, ask = the default, edits = accept edits, full = full access. */
export const modes = ["ask", "edits", "plan", "full"] as const;
export type Mode = (typeof modes)[number];

/** Fewest rights first. */
const modesByRights: readonly Mode[] = ["plan", "ask", "edits", "full"];

export const hasMoreRights = (mode: Mode, other: Mode): boolean =>
  modesByRights.indexOf(mode) > modesByRights.indexOf(other);

/**
 * `npm test *` is { tool: "bash", words: ["npm", "test"], rest: true }: matched word by word against each parsed
 * command.
 */
export interface RulePattern {
  readonly tool: "bash";
  readonly words: readonly string[];
  /** true: any further words may follow. */
  readonly rest: boolean;
}

/**
 * Paths of file tools: `glob` is relative to the project (`docs/**`, `*.lock`). read = read, ls, find, grep; write =
 * edit, write; delete = delete.
 */
export interface PathPattern {
  readonly tool: "files";
  readonly access: "read" | "write" | "delete";
  readonly glob: string;
}

/** Hosts: `docs.python.org`, or `*.python.org` for its subdomains; normalized as in host-pattern.ts, without a port. */
interface HostPattern {
  readonly tool: "net";
  readonly host: string;
}

/** Tools of a source: `github` for all of them, `github/search_*` for those whose name matches. */
interface ToolPattern {
  readonly tool: "external";
  readonly pattern: string;
}

/** A stored pattern of a kind this version does not have. It matches nothing. */
interface UnknownPattern {
  readonly tool: "unknown";
  /** The stored kind. */
  readonly kind: string;
  readonly words: readonly string[];
}

export type PermissionPattern = RulePattern | PathPattern | HostPattern | ToolPattern | UnknownPattern;

/**
 * deny overrides ask, ask overrides allow, regardless of creation order. Blocked words and protected paths override all
 * rules.
 */
export const ruleEffects = ["allow", "ask", "deny"] as const;
export type RuleEffect = (typeof ruleEffects)[number];

/** A rule of one project, created by "Always allow" on an approval card or in the settings. */
export type Rule = {
  readonly id: RuleId;
  readonly projectId: ProjectId;
  readonly effect: RuleEffect;
  /** ms epoch */
  readonly createdAt: number;
} & PermissionPattern;

/** Formats a rule: its glob, host or tools, or its words with `*` if further words may follow. */
export function formatRulePattern(rule: PermissionPattern): string {
  switch (rule.tool) {
    case "bash":
      return [...rule.words, ...(rule.rest ? ["*"] : [])].join(" ");
    case "files":
      return rule.glob;
    case "net":
      return rule.host;
    case "external":
      return rule.pattern;
    case "unknown":
      return [rule.kind, ...rule.words].join(" ");
  }
}

/** Rule that "Always allow" on an approval card adds. */
export type ProposedRule = RulePattern | HostPattern | ToolPattern;

/** Definitions of external tools that the user approved in a project, by `approvedToolKey`. */
export type ApprovedTools = ReadonlyMap<string, Hash>;

/** Access to a path of the project. `recursive`: includes everything below it. */
export type FileAccess =
  | { readonly kind: "read"; readonly target: string; readonly recursive?: boolean }
  | { readonly kind: "write" | "delete"; readonly target: string };

/** Access to something that is neither a file of the project nor a command. */
export type RemoteAccess =
  /**
   * A request to a host, as the host of a URL; GET and HEAD count as reading. `sent` = what the model wrote that the host
   * gets: an address, or words to search for.
   */
  | { readonly kind: "net"; readonly host: string; readonly method: string; readonly sent?: string }
  /**
   * A tool of an external source. `definition` = hash of everything the source says of it: the approval of another
   * definition does not count. What it says of its own effects (annotations) gives no right.
   */
  | { readonly kind: "external"; readonly source: string; readonly tool: string; readonly definition: Hash }
  /** The start of another agent by a tool of a source. `looks` = the agent has the rights of Plan mode. */
  | { readonly kind: "agent"; readonly source: string; readonly tool: string; readonly looks: boolean };

export type ExternalAccess = Extract<RemoteAccess, { readonly kind: "external" }>;

/** Key of a tool of a source in `ApprovedTools`, and the pattern of a rule for it: `github/create_issue`. */
export const approvedToolKey = ({ source, tool }: Pick<ExternalAccess, "source" | "tool">): string =>
  `${source}/${tool}`;

/** An operation a tool is about to perform, as input of the policy. `target` of exec is a command line. */
export type ToolAccess =
  | FileAccess
  | { readonly kind: "exec"; readonly target: string }
  | RemoteAccess
  /**
   * A message to a person in a messenger; `channel` web = to the owner's pages. `receiver` = the person whom it reaches now, by
   * `CallFacts.receiver`; null = none. `sent` = what the model wrote.
   */
  | {
      readonly kind: "message";
      readonly channel: string;
      readonly receiver: string | null;
      readonly sent: string;
      readonly hasFile: boolean;
    }
  /** A change of the memory, which later sessions are given: of this project, or of all projects. */
  | { readonly kind: "memory"; readonly allProjects: boolean };

/**
 * Why a request may carry data out: holds_secret = what is sent contains a known secret; unseen_url = it is an address with a
 * long query which is only in what the model wrote.
 */
export type SentRisk = "holds_secret" | "unseen_url";

/**
 * once, always (creates a rule), edits (switches the session to Accept edits), network (allows once, and the network to
 * the sandboxed commands of the session), deny (with or without a reason).
 */
export type ApprovalOption = "once" | "always" | "edits" | "network" | "deny";

/** Reason of a decision: a row of the table in docs/architecture.md. */
export type PolicyReason =
  | "reads"
  | "mode"
  | "rule"
  | "rule_asks"
  | "rule_denies"
  | "plan_mode"
  | "writes"
  | "deletes"
  | "runs_code"
  | "executes"
  /** The first call of an external tool in the project, or the first since its definition changed. */
  | "first_use"
  | "changed_definition"
  /** Another call of an external tool. */
  | "external"
  /** A request to a host without a rule. */
  | "new_host"
  /** The session has read content that other programs or web pages wrote, and now changes the memory. */
  | "read_external"
  /** The session works in a folder that the user does not trust, and now changes the memory. */
  | "untrusted_folder"
  /** A change of the memory that the sessions of all projects are given. */
  | "all_projects"
  /** The first message of the session to a person in a messenger. */
  | "first_message"
  /** A file of the project is sent to a person in a messenger. */
  | "sends_file"
  /** A request that asks whatever the rules of its host allow. */
  | SentRisk
  | "unreadable"
  /** Its globs and folders contain more than a judgement reads. */
  | "too_many_files"
  | "blocked_word"
  | "protected"
  | "outside"
  /** The gate of an extension denies it or asks. */
  | "gate"
  /** The sandbox is enabled but does not work on this machine. */
  | "no_sandbox"
  /** The command needs the network, which its sandbox does not have. */
  | "needs_network"
  /** The first destructive command of a session in a project whose files are too many to be kept. */
  | "no_undo"
  /** The file has no write permission. */
  | "read_only";

export type Decision =
  | { readonly kind: "allow"; readonly reason: PolicyReason; readonly rule?: RuleId }
  | {
      readonly kind: "ask";
      readonly reason: PolicyReason;
      readonly options: readonly ApprovalOption[];
      readonly proposal?: ProposedRule;
    }
  /**
   * `detail` = the word, path or rule that matched, reported to the model. `part` = the part of the command that
   * contains it.
   */
  | {
      readonly kind: "refuse";
      readonly reason: PolicyReason;
      readonly code: ErrorCode;
      readonly detail: string;
      readonly part?: string;
      /** Explanation that a gate gives. */
      readonly words?: string;
      readonly rule?: RuleId;
    };
