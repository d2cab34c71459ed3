/** Where a session branched: one node per run, told by the server, which holds every branch. */
import type { RunEnd } from "./event";
import type { SessionId } from "./id";

export interface TreeNode {
  /** seq of its first event: the run's agent_start. */
  readonly seq: number;
  /** The border it starts from; 0 = the beginning. A rewind to it hides this node. */
  readonly from: number;
  /** The border it ends at, where one may go back to or fork from; null while it runs. */
  readonly to: number | null;
  /** `seq` of the node before it on its branch; null = the first. */
  readonly parent: number | null;
  /** `seq` its name is kept under: what the user said first, or its own. */
  readonly place: number;
  /** ms epoch */
  readonly at: number;
  /** The start of what the user said. */
  readonly text: string;
  /** The model in force when it began; absent before one was chosen. */
  readonly model?: string;
  /** The start of the last words of the model in it, on one line, at most `treeAnswerMaxChars`; absent while there are none. */
  readonly answer?: string;
  readonly calls: number;
  /** Files its calls changed, lines added and removed. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Absent while it runs. */
  readonly end?: RunEnd;
  readonly label?: string;
  /** Part of what the model is told now. */
  readonly onPath: boolean;
}

export interface SessionTree {
  /** In order of seq. */
  readonly nodes: readonly TreeNode[];
  /** The border the session stands at. */
  readonly newest: number;
  /** Sessions that were forked from this one, newest first, and where. */
  readonly forks: readonly { readonly sessionId: SessionId; readonly title: string; readonly atSeq: number }[];
}
