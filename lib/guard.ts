/** What the guard did by itself and what it knows of a folder: data of the security settings. */
import type { ProjectId, RuleId, SessionId } from "./id";
import type { Mode, PolicyReason } from "./policy";

/** A decision nobody was asked for. */
export interface AutomaticDecision {
  /** Consecutive; newest = highest. */
  readonly id: number;
  /** ms epoch */
  readonly at: number;
  readonly projectId: ProjectId;
  readonly sessionId: SessionId;
  readonly tool: string;
  /** The path or the command, at most `decisionTargetChars` of it. */
  readonly target: string;
  readonly kind: "allow" | "refuse";
  readonly reason: PolicyReason;
  readonly mode: Mode;
  readonly rule?: RuleId;
  /** The word, path or rule that decided, as the user reads it. */
  readonly detail?: string;
}

/** Something in a folder that makes programs run code or changes how they behave. */
export interface TrustFinding {
  readonly kind: "git_program" | "git_hook" | "instructions" | "editor" | "mcp" | "hook_manager";
  /** Path in the project. */
  readonly path: string;
  /** The setting's name, for git. */
  readonly detail?: string;
}

/** How commands can be fenced in on this machine. */
export interface SandboxState {
  readonly program: "bubblewrap" | "seatbelt" | null;
  /** It was tried and works. */
  readonly works: boolean;
  /** Why not, in the system's own words. */
  readonly why?: string;
}
