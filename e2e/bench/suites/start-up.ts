/** Compares process start to the first page and to the open store with a bare HTTP server, alternating. */
import { connect } from "node:net";
import { type Bench, endProcess, pauseFor } from "../bench";
import { bareArguments, freePort, productArguments, productEnvironment, startProduct } from "../server/bench-product";
import { median, formatMs, type BenchRow, formatRatio } from "../bench-row";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";

/** A bare server starts faster on newer Node versions, so the share of the program's own code is larger there. */
const isOldNode = process.versions.node.startsWith("20.");

export async function startUp(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const home = bench.folder("home");
  const project = bench.folder("project");
  const rounds = bench.quick ? 5 : 15;
  try {
    await (await startProduct(bench, { home, project, modelUrl: model.url })).end();
    const bare: number[] = [];
    const page: number[] = [];
    const health: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const barePort = await freePort();
      bare.push(await timeToFirst200(bench, barePort, "/", bareArguments(barePort)));
      const measure = async (path: string): Promise<number> => {
        const port = await freePort();
        const parameters = productArguments({ home, project, port, modelUrl: model.url });
        return timeToFirst200(bench, port, path, parameters, productEnvironment(model.url));
      };
      page.push(await measure("/"));
      health.push(await measure("/api/health"));
    }
    return [
      startUpRow("start-page", "process start to first GET / answered 200", page, bare, isOldNode ? 1.5 : 2),
      startUpRow("start-health", "process start to GET /api/health, store open", health, bare, isOldNode ? 1.8 : 2.5),
    ];
  } finally {
    await model.close();
  }
}

function startUpRow(
  id: string,
  label: string,
  samples: readonly number[],
  bare: readonly number[],
  budget: number,
): BenchRow {
  const ratios = samples.map((sample, round) => sample / (bare[round] ?? Number.NaN));
  return {
    id,
    what: label,
    measured: `${formatMs(median(samples))}, ${formatRatio(median(ratios))}`,
    yardstick: `bare node:http ${formatMs(median(bare))}`,
    budget: `≤ ${budget.toFixed(1)} ×`,
    met: median(ratios) <= budget,
    figures: { medianMs: median(samples), bareMedianMs: median(bare), ratio: median(ratios), rounds: samples.length },
  };
}

/** Starts a program that listens on the port; returns the time until it answers a request of the path with 200, ms. */
export async function timeToFirst200(
  bench: Bench,
  port: number,
  path: string,
  parameters: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<number> {
  const startedAt = performance.now();
  const child = bench.spawn(parameters, { env });
  child.stdout?.resume();
  try {
    const limitMs = 30_000;
    const betweenMs = 1;
    while (!(await respondsWith200(port, path))) {
      if (performance.now() - startedAt > limitMs) throw new Error(`${path} was not answered within ${limitMs} ms`);
      await pauseFor(betweenMs);
    }
    return performance.now() - startedAt;
  } finally {
    await endProcess(child);
  }
}

/** Sends one request on one connection. False = no listener yet, or another answer. */
function respondsWith200(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("connect", () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`),
    );
    socket.once("data", (chunk) => {
      resolve(String(chunk).startsWith("HTTP/1.1 200"));
      socket.destroy();
    });
  });
}
