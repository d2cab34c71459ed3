/**
 * HTTP and socket server for viewers: separate listeners on this machine's addresses, open only while a link is active.
 * It serves the viewer's page, and a socket whose clients may use the viewer commands on the one session of their link.
 */
import { createServer, type IncomingMessage, type Server as HttpServer } from "node:http";
import type { Duplex } from "node:stream";
import { fail, ok } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import type { ShareServerOptions } from "@/server/session/share/shared-view";
import type { ShareServer } from "@/server/session/share/shares";
import {
  type ListenAddress,
  hostAllowed,
  httpsAddress,
  originAllowed,
  reachedAddress,
  targetAllowed,
} from "../auth/guard";
import { answerBadRequests, toHostName, makeAddressListeners } from "../http/address-listeners";
import { makeShareViewers, remoteAddress } from "./share-viewers";
import type { ServeStatic } from "../http/static";
import { makeFailedAttempts } from "../auth/failed-attempts";
import { sendToHttps } from "../http/responses";
import { addressOrigins } from "../tls/address-origins";
import type { ServerTls } from "../tls/server-tls";

/** Maximum connections per address that serves share links. */
const shareConnections = 1_000;

/** Number of further ports to try. */
const portsToTry = 20;

export function makeShareServer(
  options: ShareServerOptions,
  page: ServeStatic,
  tls: ServerTls | null = null,
): ShareServer {
  let port = 0;
  const address = (): ListenAddress => ({ port, names: listeners.addresses.map(toHostName), covers: tls?.covers });
  const http = makeShareHttp(page, options.reportBug, address);
  tls?.serve(http);
  const listeners = makeAddressListeners(http, shareConnections);
  const inner = createServer();
  const tries = makeFailedAttempts(() => performance.now());
  guardUpgrades(http, inner, address, tries.isLimited);
  const viewers = makeShareViewers(inner, { ...options, recordWrongToken: tries.record });
  return {
    get addresses() {
      return listeners.addresses;
    },
    origins: (addresses) => addressOrigins(addresses, port, tls),
    async open(addresses) {
      // A network that appeared meanwhile is added; failures on it are ignored.
      const isOpen = listeners.addresses.length > 0;
      const first = isOpen ? port : options.firstPort();
      const last = isOpen ? port : Math.min(65_535, first + portsToTry);
      let code = "";
      for (port = first; port <= last; port += 1) {
        const failures = await listeners.open(addresses, port);
        const isPortTaken = failures.some((failure) => failure.code === "EADDRINUSE");
        if (isOpen || (!isPortTaken && listeners.addresses.length > 0)) return ok(null);
        code = failures[0]?.code ?? "";
        listeners.close();
        if (!isPortTaken) break;
      }
      return fail("listen_failed", code);
    },
    viewers: viewers.list,
    end: viewers.end,
    async close() {
      listeners.close();
      viewers.close();
    },
  };
}

function makeShareHttp(
  page: ServeStatic,
  reportBug: ShareServerOptions["reportBug"],
  address: () => ListenAddress,
): HttpServer {
  const http = createServer((request, response) => {
    const refuse = (status: number): void => {
      response.writeHead(status, {
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        Connection: "close",
      });
      response.end();
    };
    if (!targetAllowed(request.url)) return refuse(400);
    const https = httpsAddress(request.socket, request.headers.host, address());
    if (https !== null) return sendToHttps(response, `${https}${request.url}`);
    if (!hostAllowed(request.headers.host, reachedAddress(request.socket, address()))) return refuse(421);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405);
    try {
      page(request, response);
    } catch (error) {
      reportBug("share page", error);
      refuse(500);
    }
  });
  // This server does not listen itself, so its request timeouts do not apply.
  http.setTimeout(serverLimits.viewerConnectMs);
  answerBadRequests(http);
  return http;
}

/** Passes permitted upgrades to the socket server, which does not listen itself. */
function guardUpgrades(
  http: HttpServer,
  inner: HttpServer,
  ownAddress: () => ListenAddress,
  isOver: (address: string) => boolean,
): void {
  http.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse = (status: string): void => {
      socket.on("error", () => socket.destroy());
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    };
    const { host, origin } = request.headers;
    if (!targetAllowed(request.url)) return refuse("400 Bad Request");
    const reached = reachedAddress(request.socket, ownAddress());
    if (!hostAllowed(host, reached)) return refuse("421 Misdirected Request");
    if (!originAllowed(origin, host, reached)) return refuse("403 Forbidden");
    if (!request.url.startsWith("/socket.io/?")) return refuse("404 Not Found");
    if (isOver(remoteAddress(request))) return refuse("429 Too Many Requests");
    inner.emit("upgrade", request, socket, head);
  });
}
