/** Who may come in from outside this machine: share links for looking, devices of the owner, and where the server listens. */
import type { SessionId, ShareId } from "./id";

/** Somebody who looks at a share now. */
export interface ShareViewer {
  readonly id: string;
  /** What the browser says it is: "Chrome, Android". */
  readonly name: string;
  readonly address: string;
  /** ms epoch */
  readonly since: number;
}

/** A link for looking at one session. Its token is told once, when it is made. */
export interface Share {
  readonly id: ShareId;
  readonly sessionId: SessionId;
  /** live = goes on with the session; frozen = the session as it was when the link was made. */
  readonly kind: "live" | "frozen";
  /** Viewers see what calls printed. */
  readonly outputs: boolean;
  /** ms epoch */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly viewers: readonly ShareViewer[];
}

/** A way in: the same link by one of this machine's addresses. */
export interface Link {
  readonly address: string;
  readonly url: string;
}

/** A browser of the owner. Times are ms epoch. */
export interface Device {
  readonly id: string;
  /** What the browser says it is. */
  readonly label: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  /** The one that asks. */
  readonly current: boolean;
  readonly online: boolean;
}

/** Where the server can be reached beside this machine. */
export interface NetworkState {
  /** Addresses at which the owner's devices may sign in; empty = this machine only. */
  readonly owner: readonly string[];
  /** Addresses at which share links are answered; empty = no link is active. */
  readonly shares: readonly string[];
  /** This machine's own addresses on its networks. */
  readonly machine: readonly string[];
}

/** What a viewer's page is told of its share. */
export interface SharedSession {
  readonly sessionId: SessionId;
  readonly kind: Share["kind"];
  readonly outputs: boolean;
  /** When the link was made: what is frozen is as it was then. ms epoch, by the server's clock like the others. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** To show what is left. */
  readonly now: number;
}
