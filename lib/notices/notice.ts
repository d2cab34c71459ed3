/** A notice that reaches the user at several places, until it is seen at one of them. JSON. */
import type { SessionId } from "../events/id";
import type { NoticeKind } from "./notice-kinds";

export interface NewNotice {
  readonly kind: NoticeKind;
  /** The session to open; absent = it is about none. */
  readonly sessionId?: SessionId;
  /** Title of the session or the automation. */
  readonly title: string;
  /** Text of a message; for open tabs alone. */
  readonly text?: string;
  /** Distinguishes notices of one kind about one session. */
  readonly seq: number;
  /** It is passed to all places at once: the user is not there. */
  readonly isUrgent?: boolean;
}

export interface Notice extends NewNotice {
  readonly id: string;
  /** ms epoch */
  readonly at: number;
}

export const noticeId = ({ kind, sessionId, title, seq }: NewNotice): string =>
  [sessionId ?? title, kind, seq].join(" ");
