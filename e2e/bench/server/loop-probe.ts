/** Measures the longest task of a product's server, from inside its process. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, pollFor } from "../bench";

const limitMs = 120_000;
const probeUrl = new URL("loop-probe.mjs", import.meta.url);

interface LoopProbe {
  /** For the product. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the longest delay of the server's event loop since the last query, ms. */
  longestTask(product: { readonly pid: number }): Promise<number>;
}

export function makeLoopProbe(bench: Bench): LoopProbe {
  const file = join(bench.folder("loop"), "longest");
  return {
    environment: { NODE_OPTIONS: `--import ${probeUrl.href}`, GOPI_BENCH_LOOP: file },
    async longestTask({ pid }) {
      rmSync(file, { force: true });
      process.kill(pid, "SIGUSR2");
      await pollFor("the answer of the probe", limitMs, async () => existsSync(file) || undefined);
      return Number(readFileSync(file, "utf8"));
    },
  };
}
