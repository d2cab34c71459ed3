/** The viewer's page and its assets: all the files that are served to holders of a link. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import sirv from "sirv";
import { sharePath } from "@/server/session/share/shares";
import { immutableCache, pageHeaders, type ServeStatic } from "../http/static";

/** `folder` is the build's export. Throws when it has no viewer page. */
export function makeSharePage(folder: string): ServeStatic {
  const name = `${sharePath}.html`;
  const headers = { ...pageHeaders(readFileSync(join(folder, name), "utf8")), "Cache-Control": "no-store" };
  const assets = sirv(folder, {
    etag: true,
    brotli: true,
    gzip: true,
    extensions: [],
    setHeaders(response) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader("Referrer-Policy", "no-referrer");
    },
  });
  return (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (path === sharePath) {
      for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
      request.url = name;
      return assets(request, response, () => sendNotFound(request, response));
    }
    if (!isShareAsset(path)) return sendNotFound(request, response);
    response.setHeader("Cache-Control", immutableCache);
    assets(request, response, () => sendNotFound(request, response));
  };
}

const isShareAsset = (path: string): boolean => /^\/_next\/static\/[\w./~-]+$/.test(path) || path === "/icon.svg";

function sendNotFound(_request: IncomingMessage, response: ServerResponse): void {
  response.removeHeader("Cache-Control");
  response.writeHead(404, { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
  response.end();
}
