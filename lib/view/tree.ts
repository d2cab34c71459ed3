/** Branch tree of a session, one node per run. Computed by the server, which holds every branch. */
import type { RunEnd } from "../events/event";
import type { SessionId } from "../events/id";

export interface TreeNode {
  /** seq of the run's agent_start. */
  readonly seq: number;
  /** Border before the run; 0 = the beginning. A rewind to it hides this node. */
  readonly from: number;
  /** Border at the end of the run, a target for rewind and fork; null while it runs. */
  readonly to: number | null;
  /** `seq` of the previous node on its branch; null = first. */
  readonly parent: number | null;
  /** `seq` under which its label is stored: that of the first user message, or its own. */
  readonly place: number;
  /** ms epoch */
  readonly at: number;
  /** Beginning of the user's message. */
  readonly text: string;
  /** Model at the start of the run; absent if none was chosen. */
  readonly model?: string;
  /** Beginning of the last answer text, on one line, at most `treeAnswerMaxChars`; absent if there is none. */
  readonly answer?: string;
  readonly calls: number;
  /** Files changed by its calls, lines added and removed. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Absent while it runs. */
  readonly end?: RunEnd;
  readonly label?: string;
  /** On the current path, which is sent to the model. */
  readonly onPath: boolean;
}

export interface SessionTree {
  /** In order of seq. */
  readonly nodes: readonly TreeNode[];
  /** Current border of the session. */
  readonly newest: number;
  /** Sessions forked from this one, newest first, with the seq of the fork. */
  readonly forks: readonly { readonly sessionId: SessionId; readonly title: string; readonly atSeq: number }[];
}
