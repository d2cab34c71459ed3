/** The program of a worker, bundled as in the product, for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

/** Registers the hooks that bundle `entry`; returns its address. Call it at the top of a test file. */
export function useWorkerProgram(entry: string): () => URL {
  let folder = "";
  const file = (): string => join(folder, "worker.mjs");
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gopi-worker-"));
    await build({
      entryPoints: [resolve(entry)],
      outfile: file(),
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      alias: { turndown: resolve("node_modules/turndown/lib/turndown.browser.es.js") },
      banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
      logLevel: "error",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => pathToFileURL(file());
}
