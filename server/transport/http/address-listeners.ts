/**
 * Listeners at one port on several of this machine's addresses, whose connections are handled by one HTTP server with
 * its access rules.
 */
import type { Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { serverLimits } from "@/lib/settings/server-limits";

export interface AddressListeners {
  /** Addresses listened on now. */
  readonly addresses: readonly string[];
  /** Returns the addresses that could not be listened on, with the system's error code. */
  open(
    addresses: readonly string[],
    port: number,
  ): Promise<readonly { readonly address: string; readonly code: string }[]>;
  /** Stops listening; existing connections are destroyed after `connectionEndMs`, so that pending data can be sent. */
  close(): void;
}

/** `most` = connections at each address; further ones are refused. */
export function makeAddressListeners(http: HttpServer, most?: number): AddressListeners {
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
      }, serverLimits.connectionEndMs).unref();
    },
  };
}

/** Listens at one address; null = at all of this machine. Returns the system's error code, or null. */
export const listenAt = (http: HttpServer, port: number, host: string | null): Promise<string | null> =>
  new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    http.once("error", failed);
    http.listen({ port, host: host ?? undefined }, () => {
      http.off("error", failed);
      resolve(null);
    });
  });

/** The address as written in a Host header. */
export const toHostName = (address: string): string => (address.includes(":") ? `[${address}]` : address);

/** Answers requests that cannot be parsed. */
export const answerBadRequests = (server: HttpServer): void =>
  void server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else socket.destroy();
  });
