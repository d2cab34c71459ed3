/** Modes, rules and decisions as data. server/security/decide.ts decides; everybody else only shows. */
import type { ErrorCode } from "./error";
import type { ProjectId, RuleId } from "./id";

/** plan = read-only, ask = the default, edits = accept edits, full = full access. */
export const modes = ["ask", "edits", "plan", "full"] as const;
export type Mode = (typeof modes)[number];

/** `npm test *` is { tool: "bash", words: ["npm", "test"], rest: true }: matched word by word against each parsed command. */
export interface RulePattern {
  readonly tool: "bash";
  readonly words: readonly string[];
  /** true: any further words may follow. */
  readonly rest: boolean;
}

/**
 * Paths of file tools: `glob` is relative to the project (`docs/**`, `*.lock`). read = read, ls, find, grep; write = edit, write;
 * delete = delete.
 */
export interface PathPattern {
  readonly tool: "files";
  readonly access: "read" | "write" | "delete";
  readonly glob: string;
}

/** deny beats ask beats allow, whatever the order they were made in. Blocked and protected win over all of them. */
export const ruleEffects = ["allow", "ask", "deny"] as const;
export type RuleEffect = (typeof ruleEffects)[number];

/** A rule of one project: from "Always allow" on a card, or written in the settings. */
export type Rule = {
  readonly id: RuleId;
  readonly projectId: ProjectId;
  readonly effect: RuleEffect;
  /** ms epoch */
  readonly createdAt: number;
} & (RulePattern | PathPattern);

/** How a rule reads: the words, and a star when anything may follow. */
export const ruleText = (rule: RulePattern | PathPattern): string =>
  rule.tool === "files" ? rule.glob : [...rule.words, ...(rule.rest ? ["*"] : [])].join(" ");

/** What a tool is about to do, declared by the tool, judged by decide. `target` is a project path or a command line. */
export type Access =
  | { readonly kind: "read"; readonly target: string; readonly recursive?: boolean }
  | { readonly kind: "write"; readonly target: string }
  | { readonly kind: "delete"; readonly target: string }
  | { readonly kind: "exec"; readonly target: string };

/** once, always (makes a rule), edits (Accept edits in this session), deny (with or without a reason). */
export type ApprovalOption = "once" | "always" | "edits" | "deny";

/** Why something was decided as it was: a row of the table in docs/architecture.md, never a sentence. */
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
  | "unreadable"
  | "blocked_word"
  | "protected"
  | "outside"
  /** Commands are to run fenced in, and that does not work here. */
  | "no_sandbox";

export type Decision =
  | { readonly kind: "allow"; readonly reason: PolicyReason; readonly rule?: RuleId }
  | {
      readonly kind: "ask";
      readonly reason: PolicyReason;
      readonly options: readonly ApprovalOption[];
      readonly proposal?: RulePattern;
    }
  /** `detail` names the word, path or rule; the model gets it with the next step. `part` = the part of a command it is in. */
  | {
      readonly kind: "refuse";
      readonly reason: PolicyReason;
      readonly code: ErrorCode;
      readonly detail: string;
      readonly part?: string;
      readonly rule?: RuleId;
    };
