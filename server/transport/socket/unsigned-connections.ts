/**
 * Connections that were admitted by their cookie, but have not presented the secret of their page yet: few, small and
 * short, since another program of this machine or a page at another port may have received the cookie.
 */
import type { Socket as TcpSocket } from "node:net";
import { serverLimits } from "@/lib/settings/server-limits";

/** Maximum number of connections before the sign-in, in all and from one address. */
const unsignedMost = 256;
export const unsignedMostPerAddress = 64;
/** Data that a connection may send before the sign-in, bytes. */
export const unsignedMaxBytes = 16_384;
/** Time until the sign-in, ms. */
export const unsignedMs = 5_000;

interface UnsignedConnections {
  /** Whether no further connection of this address is admitted. */
  isFull(address: string): boolean;
  has(id: string): boolean;
  /** `end` closes the connection; it is called after `unsignedMs`, and when more than `unsignedMaxBytes` arrive. */
  add(id: string, address: string, end: () => void): void;
  /** Counts the bytes that arrive at a WebSocket of the connection after the first `headBytes` of its TCP socket. */
  count(id: string, socket: TcpSocket, headBytes: number): void;
  /** The connection has no limits any more. */
  signedIn(id: string): void;
  /** The connection ended; a WebSocket whose client does not close it is destroyed. */
  ended(id: string): void;
}

interface Unsigned {
  readonly address: string;
  readonly end: () => void;
  readonly timer: NodeJS.Timeout;
  /** The WebSockets, with what counts their bytes. */
  readonly counted: Map<TcpSocket, () => void>;
}

export function makeUnsignedConnections(): UnsignedConnections {
  const open = new Map<string, Unsigned>();
  const take = (id: string): Unsigned["counted"] => {
    const connection = open.get(id);
    clearTimeout(connection?.timer);
    open.delete(id);
    return connection?.counted ?? new Map();
  };
  return {
    isFull(address) {
      const ofAddress = [...open.values()].filter((connection) => connection.address === address).length;
      return open.size >= unsignedMost || ofAddress >= unsignedMostPerAddress;
    },
    has: (id) => open.has(id),
    add(id, address, end) {
      const timer = setTimeout(end, unsignedMs);
      timer.unref();
      open.set(id, { address, end, timer, counted: new Map() });
    },
    count(id, socket, headBytes) {
      const connection = open.get(id);
      if (connection === undefined) return;
      const check = (): void => {
        if (socket.bytesRead - headBytes <= unsignedMaxBytes) return;
        socket.destroy();
        connection.end();
      };
      socket.on("data", check);
      connection.counted.set(socket, check);
      // Data that came with the upgrade was read before.
      check();
    },
    signedIn(id) {
      for (const [socket, check] of take(id)) socket.off("data", check);
    },
    ended(id) {
      for (const [socket] of take(id)) setTimeout(() => socket.destroy(), serverLimits.connectionEndMs).unref();
    },
  };
}
