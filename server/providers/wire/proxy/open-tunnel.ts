/** A connection to a server with TLS through a proxy (CONNECT). */
import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Proxy } from "./find-proxy";

/** RFC 9110: any status of success. */
const isTunnel = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

/** Rejects when the proxy cannot be reached or refuses, and when the signal aborts. */
export async function openTunnel(url: URL, { url: proxy, headers }: Proxy, signal: AbortSignal): Promise<TLSSocket> {
  const { request: open } = proxy.protocol === "https:" ? await import("node:https") : await import("node:http");
  const { connect } = await import("node:tls");
  signal.throwIfAborted();
  const target = `${url.hostname}:${url.port || "443"}`;
  const socket = await new Promise<Socket>((resolve, reject) => {
    const request = open(proxy, {
      method: "CONNECT",
      path: target,
      headers: { ...headers, Host: target },
      agent: false,
    });
    const abort = (): void => void request.destroy();
    signal.addEventListener("abort", abort, { once: true });
    const end = (): void => signal.removeEventListener("abort", abort);
    const refuse = ({ statusCode, statusMessage }: IncomingMessage): void => {
      request.destroy();
      reject(new Error(`${statusCode} ${statusMessage}`));
    };
    request.once("close", () => {
      end();
      reject(new Error("closed without an answer"));
    });
    request.on("error", reject);
    request.once("response", refuse);
    request.once("connect", (response, tunnel: Socket) => {
      end();
      if (isTunnel(response)) resolve(tunnel);
      else {
        tunnel.destroy();
        refuse(response);
      }
    });
    request.end();
  });
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return connect({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
}
