/**
 * Proxy for `npm run dev`: pages come from `next dev`, so that changes show at once. The rest of the server is
 * unchanged.
 */
import { request as httpRequest } from "node:http";
import type { ServeStatic } from "./static";

/** `address` as in GOPI_DEV_UI. Documents are always requested as `/`: the app has one page and its own router. */
export function makeDevProxy(address: string): ServeStatic {
  const base = new URL(address);
  return (request, response) => {
    const path = (request.headers.accept ?? "").includes("text/html") ? "/" : (request.url ?? "/");
    const options = {
      host: base.hostname,
      port: base.port,
      method: request.method,
      path,
      headers: { ...request.headers, host: base.host },
    };
    const upstream = httpRequest(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on("error", () => {
      if (response.headersSent) return void response.destroy();
      response.writeHead(502, { "Content-Type": "text/plain" });
      response.end("next dev does not answer yet; reload in a moment.");
    });
    request.pipe(upstream);
  };
}
