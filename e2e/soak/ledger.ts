/** Records what a user of the soak did and which acknowledgements arrived: the reference for the state after a kill. */
import type { CommandId, SessionId } from "@/lib/events/id";
import type { ReceivedText } from "./session-follower";

export interface SentMessage {
  readonly sessionId: SessionId;
  readonly commandId: CommandId;
  readonly text: string;
  /** Seq in the command's answer; null = no answer arrived. */
  seq: number | null;
}

/** The versions of a file that are valid; null = the file may be missing. */
type FileVersions = readonly (string | null)[];

/** Text that a client had received when the server was killed. */
export interface LastReceived {
  readonly sessionId: SessionId;
  /** performance.now() */
  readonly killedAt: number;
  readonly texts: readonly ReceivedText[];
}

export class Ledger {
  readonly sessions = new Set<SessionId>();
  readonly sentMessages: SentMessage[] = [];
  /** Absolute path -> valid versions. */
  readonly files = new Map<string, FileVersions>();
  /** Words that commands append to the counter, each at most once. */
  readonly tokens = new Map<string, "at most once" | "once" | "never">();
  lastReceived: LastReceived | null = null;
}

/**
 * Returns the whole content of one version of a file: each line contains the version, so that a mix of two is
 * detected.
 */
export const versionContent = (version: string, lines: number): string =>
  `${Array.from({ length: lines }, (_, index) => `${version} line ${index}`).join("\n")}\n`;
