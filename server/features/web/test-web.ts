/** The worker's program, bundled as in the product, for the tests of the web. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

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
