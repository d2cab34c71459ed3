/**
 * Connections that were admitted by their cookie, but have not presented the secret of their page yet: few, small and
 * short, since another program of this machine or a page at another port may have received the cookie.
 */
import type { Socket as TcpSocket } from "node:net";

/** Maximum number of connections before the sign-in, in all and from one address. */
export const unsignedMost = 256;
export const unsignedMostPerAddress = 64;
/** Data that a connection may send before the sign-in, bytes. */
export const unsignedMaxBytes = 16_384;
/** Time until the sign-in, ms. */
export const unsignedMs = 5_000;

export interface UnsignedConnections {
  /** Whether no further connection of this address is admitted. */
  isFull(address: string): boolean;
  has(id: string): boolean;
  /** `end` closes the connection; it is called after `unsignedMs`, and when more than `unsignedMaxBytes` arrive. */
  add(id: string, address: string, end: () => void): void;
  /** Counts the bytes that arrive at a WebSocket of the connection. */
  count(id: string, socket: TcpSocket): void;
  /** The connection is signed in, or it ended. */
  remove(id: string): void;
}

interface Unsigned {
  readonly address: string;
  readonly end: () => void;
  readonly stops: (() => void)[];
}

export function makeUnsignedConnections(): UnsignedConnections {
  const open = new Map<string, Unsigned>();
  return {
    isFull(address) {
      const ofAddress = [...open.values()].filter((connection) => connection.address === address).length;
      return open.size >= unsignedMost || ofAddress >= unsignedMostPerAddress;
    },
    has: (id) => open.has(id),
    add(id, address, end) {
      const timer = setTimeout(end, unsignedMs);
      timer.unref();
      open.set(id, { address, end, stops: [() => clearTimeout(timer)] });
    },
    count(id, socket) {
      const connection = open.get(id);
      if (connection === undefined) return;
      let bytes = 0;
      const add = (data: Buffer): void => {
        bytes += data.length;
        if (bytes <= unsignedMaxBytes) return;
        socket.destroy();
        connection.end();
      };
      socket.on("data", add);
      connection.stops.push(() => socket.off("data", add));
    },
    remove(id) {
      for (const stop of open.get(id)?.stops ?? []) stop();
      open.delete(id);
    },
  };
}
