/** The program of a worker, bundled as in the product, for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";
import { afterAll, beforeAll } from "vitest";

/** Registers the hooks that bundle `entry`; returns its address. Call it at the top of a test file. */
export function useWorkerProgram(entry: string): () => URL {
  let folder = "";
  const file = (): string => join(folder, "worker.mjs");
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gopi-worker-"));
    await build({
      input: resolve(entry),
      platform: "node",
      transform: { target: "node20" },
      resolve: {
        alias: {
          "jsonc-parser": resolve("node_modules/jsonc-parser/lib/esm/main.js"),
          turndown: resolve("node_modules/turndown/lib/turndown.browser.es.js"),
        },
      },
      logLevel: "silent",
      output: { file: file(), format: "esm", codeSplitting: false },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => pathToFileURL(file());
}
