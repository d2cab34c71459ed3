/** What the tests of the web share: the worker's program, bundled as in the product, and servers on this machine. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { EgressOptions } from "./egress/egress";

/** Registers the hooks that bundle the page worker; returns its address. Call it at the top of a test file. */
export function usePageWorker(): () => URL {
  let folder = "";
  const file = (): string => join(folder, "page-worker.mjs");
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gopi-page-"));
    await build({
      entryPoints: [resolve("server/features/web/page/page-worker.ts")],
      outfile: file(),
      bundle: true,
      platform: "node",
      format: "esm",
      alias: { turndown: resolve("node_modules/turndown/lib/turndown.browser.es.js") },
      banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
      logLevel: "error",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => pathToFileURL(file());
}

/** Returns a function that starts a server on this machine and resolves with its port; all are closed after each test. */
export function useWebServers(): (listener: RequestListener) => Promise<number> {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  return async (listener) => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  };
}

/** Every name is this machine, and one of its addresses counts as public. */
export const machineEgressOptions: EgressOptions = {
  resolve: async () => ["127.0.0.1"],
  accepts: (address) => address === "127.0.0.1",
};
