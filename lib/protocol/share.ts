/** Data types for remote access: share links, signed-in devices and listen addresses. */
import type { SessionId, ShareId } from "../events/id";

/** A connected viewer of a share. */
export interface ShareViewer {
  readonly id: string;
  /** Browser and system from the user agent: "Chrome, Android". */
  readonly name: string;
  readonly address: string;
  /** ms epoch */
  readonly since: number;
}

/** A read-only link to one session. The token is returned only on creation. */
export interface Share {
  readonly id: ShareId;
  readonly sessionId: SessionId;
  /** live = follows the session; frozen = the session as of the link's creation. */
  readonly kind: "live" | "frozen";
  /** Viewers see tool outputs. */
  readonly outputs: boolean;
  /** ms epoch */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly viewers: readonly ShareViewer[];
}

/** URL of a link at one of this machine's addresses. */
export interface AddressLink {
  readonly address: string;
  readonly url: string;
}

/** A signed-in browser of the owner. Times are ms epoch. */
export interface Device {
  readonly id: string;
  /** Browser and system from the user agent. */
  readonly label: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  /** The device that sent the command. */
  readonly current: boolean;
  readonly online: boolean;
}

/** Network addresses of the server other than loopback. */
export interface NetworkState {
  /** Addresses for sign-in of the owner's devices; empty = loopback only. */
  readonly owner: readonly string[];
  /** Addresses that serve share links; empty = no active link. */
  readonly shares: readonly string[];
  /** Network addresses of this machine. */
  readonly machine: readonly string[];
  /** Other devices connect over https; absent = in plain http. */
  readonly isEncrypted?: boolean;
  /** Service that publishes the pages elsewhere; absent = they are at this server's own addresses only. */
  readonly frontDoor?: {
    /** Addresses of the start page; empty = not known. */
    readonly addresses: readonly string[];
    /** It signs its user in, and lets no one else in. */
    readonly signsIn: boolean;
  };
}

/** Share data sent to a viewer's page. */
export interface SharedSession {
  readonly sessionId: SessionId;
  readonly kind: Share["kind"];
  readonly outputs: boolean;
  /**
   * Creation of the link, which is also the state a frozen share shows. All times are ms epoch of the server's clock.
   */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Current server time, for computing the time left. */
  readonly now: number;
}
