/** Data of the security settings: the log of decisions, trust findings and sandbox state. */
import type { ProjectId, RuleId, SessionId } from "../events/id";
import type { Origin } from "../events/event";
import type { Mode, PolicyReason } from "./policy";

/** A call that ran or was refused: by the policy, or by somebody who answered its approval. */
export interface LoggedDecision {
  /** Consecutive, ascending with time. */
  readonly id: number;
  /** ms epoch */
  readonly at: number;
  readonly projectId: ProjectId;
  readonly sessionId: SessionId;
  readonly tool: string;
  /** Path or command, truncated to `decisionTargetChars`. */
  readonly target: string;
  readonly kind: "allow" | "refuse";
  readonly reason: PolicyReason | "answer";
  /** Client that answered; absent = the browser. */
  readonly origin?: Origin;
  readonly mode: Mode;
  readonly rule?: RuleId;
  /** The word, path or rule that matched, or the reason that was given for a denial, for display. */
  readonly detail?: string;
}

/** Something in a folder that makes programs execute code or changes their behaviour. */
export interface TrustFinding {
  readonly kind: "git_program" | "git_hook" | "instructions" | "editor" | "mcp" | "hook_manager" | "extensions";
  /** Path relative to the project. */
  readonly path: string;
  /** Name of the git setting. */
  readonly detail?: string;
}

/** Cases in which the agent's commands run in the sandbox. */
export const sandboxUses = ["off", "full_access", "always"] as const;
export type SandboxUse = (typeof sandboxUses)[number];

/** Sandbox available for commands on this machine. */
export interface SandboxState {
  readonly program: "bubblewrap" | "seatbelt" | null;
  /** A trial run succeeded. */
  readonly works: boolean;
  /** System error message if it does not work. */
  readonly why?: string;
  /** A command of the user's terminal after which it is likely to work. */
  readonly fix?: string;
}
