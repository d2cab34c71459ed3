/**
 * The exported UI: one page for every address of the app, immutable assets, and the headers that restrict the page.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import sirv, { type Options, type RequestHandler } from "sirv";
import type { PrefixedFiles } from "../front-door/prefixed-files";

/** Cache policy of a file whose name has a hash of its content. */
export const immutableCache = "public, max-age=31536000, immutable";

export type ServeStatic = (request: IncomingMessage, response: ServerResponse) => void;

/** `folder` is the build's export; `prefixed` are its files below a prefix, if there is one. Throws when it has no index.html. */
export function makeStaticServer(folder: string, prefixed?: PrefixedFiles): ServeStatic {
  const exported = readFileSync(join(folder, "index.html"), "utf8");
  const page = prefixed?.prefixPage(exported) ?? exported;
  const headers = pageHeaders(page);
  const options: Options = {
    etag: true,
    brotli: true,
    gzip: true,
    extensions: [],
    setHeaders(response, path) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      if (path.startsWith("/_next/static/")) response.setHeader("Cache-Control", immutableCache);
    },
  };
  // Looks for the page alone, at each request: the first page must not wait until the whole folder has been listed.
  const servePage = prefixed?.serve ?? sirv(folder, { ...options, dev: true });
  let listed: RequestHandler | undefined;
  // Serves only what it has listed: a path that leaves a folder names no file.
  const files: RequestHandler = (...request) => (listed ??= sirv(folder, options))(...request);
  const assets: RequestHandler = (request, response, next) =>
    prefixed === undefined
      ? files(request, response, next)
      : prefixed.serve(request, response, () => files(request, response, next));
  const index = (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    request.url = "/index.html";
    servePage(request, response, () => sendRefusal(response, 404));
  };
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return sendRefusal(response, 405);
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (!isAssetPath(path)) return index(request, response);
    assets(request, response, () => sendRefusal(response, 404));
  };
}

/**
 * True for files. Ids have no dots, so a path whose last part has one names a file; everything else is a page of the
 * app. So is every .html: the export also contains the viewer's page, which this server must not serve.
 */
const isAssetPath = (path: string): boolean => path.startsWith("/_next/") || /\.(?!html?$)[a-z0-9]+$/i.test(path);

function sendRefusal(response: ServerResponse, status: number): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" });
  response.end(status === 404 ? "Not found" : "Method not allowed");
}

/** Security headers: the page's inline scripts are allowed by their hashes; nothing else may run, load or frame. */
export function pageHeaders(page: string): Readonly<Record<string, string>> {
  const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) => match[1] ?? "",
  );
  const hashes = [
    ...new Set(scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)),
  ];
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      `script-src 'self' ${hashes.join(" ")}`.trim(),
      "style-src 'self' 'unsafe-inline'",
      "font-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "worker-src 'self' blob:",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
  };
}
