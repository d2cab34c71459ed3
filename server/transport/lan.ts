/**
 * Listeners at one port on several of this machine's addresses, whose connections one HTTP server takes, guard and all. Made by
 * serve where --host names a network, and by share-door.
 */
import type { Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { limits } from "@/lib/settings";

export interface Lan {
  /** Listened at now. */
  readonly addresses: readonly string[];
  /** What could not be listened at, with the system's code. */
  open(
    addresses: readonly string[],
    port: number,
  ): Promise<readonly { readonly address: string; readonly code: string }[]>;
  /** No more connections from there; those that are there end as soon as what was said last is out. */
  close(): void;
}

/** `most` connections at each address; what comes besides is cut off. */
export function makeLan(http: HttpServer, most?: number): Lan {
  const listeners = new Map<string, Server>();
  const connections = new Set<Socket>();
  const listen = (address: string, port: number): Promise<string | null> =>
    new Promise((resolve) => {
      const listener = createServer((socket) => {
        connections.add(socket);
        socket.once("close", () => connections.delete(socket));
        http.emit("connection", socket);
      });
      if (most !== undefined) listener.maxConnections = most;
      listener.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      listener.listen({ host: address, port, exclusive: true }, () => {
        listeners.set(address, listener);
        resolve(null);
      });
    });
  return {
    get addresses() {
      return [...listeners.keys()];
    },
    async open(addresses, port) {
      const failures: { address: string; code: string }[] = [];
      for (const address of addresses) {
        const code = listeners.has(address) ? null : await listen(address, port);
        if (code !== null) failures.push({ address, code });
      }
      return failures;
    },
    close() {
      for (const listener of listeners.values()) listener.close();
      listeners.clear();
      const left = [...connections];
      setTimeout(() => {
        for (const socket of left) socket.destroy();
      }, limits.connectionEndMs).unref();
    },
  };
}

/** An address as it stands in a Host header. */
export const hostName = (address: string): string => (address.includes(":") ? `[${address}]` : address);
