/** What a user of the soak did and was told: the measure of what has to be there after a kill. Filled by the phases, read by the audit. */
import type { CommandId, SessionId } from "@/lib/id";
import type { Heard } from "./follower";

export interface Said {
  readonly sessionId: SessionId;
  readonly commandId: CommandId;
  readonly text: string;
  /** What the command answered; null = nothing was answered. */
  seq: number | null;
}

/** A file by the versions it may hold; null = it may be missing. */
export type Versions = readonly (string | null)[];

/** What a client had heard when the server was killed. */
export interface LastHeard {
  readonly sessionId: SessionId;
  /** performance.now() */
  readonly killedAt: number;
  readonly heard: readonly Heard[];
}

export class Ledger {
  readonly sessions = new Set<SessionId>();
  readonly said: Said[] = [];
  /** Absolute path -> what may stand there. */
  readonly files = new Map<string, Versions>();
  /** Words that commands append to the counter, each at most once. */
  readonly tokens = new Map<string, "at most once" | "once" | "never">();
  lastHeard: LastHeard | null = null;
}

/** The whole content of one version of a file: each line names it, so that a mix of two shows. */
export const contentOf = (version: string, lines: number): string =>
  `${Array.from({ length: lines }, (_, index) => `${version} line ${index}`).join("\n")}\n`;
