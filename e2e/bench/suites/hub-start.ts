/** Compares a start by JupyterHub with the same start of the plain program, alternating: the spawn that a person waits for. */
import { startTestHub, annPrefix } from "@/lib/testing/test-hub";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { type BenchRow, formatMs, formatRatio, median } from "../bench-row";
import { freePort, productArguments, productEnvironment, startProduct } from "../server/bench-product";
import { timeToFirst200 } from "./start-up";

const maxRatio = 1.5;

export async function hubStart(bench: Bench): Promise<readonly BenchRow[]> {
  const [model, hub] = [await startScriptedModel(), await startTestHub()];
  const home = bench.folder("home");
  const project = bench.folder("project");
  const environment = productEnvironment(model.url);
  try {
    await (await startProduct(bench, { home, project, modelUrl: model.url })).end();
    const [program = ""] = productArguments({ home, project, port: 0, modelUrl: model.url });
    const measurePlain = async (path: string): Promise<number> => {
      const port = await freePort();
      const parameters = productArguments({ home, project, port, modelUrl: model.url });
      return timeToFirst200(bench, port, path, parameters, environment);
    };
    const measureHub = async (path: string): Promise<number> => {
      const port = await freePort();
      const parameters = [program, project, "--home", home];
      return timeToFirst200(bench, port, path, parameters, { ...environment, ...hub.variables(port) });
    };
    const rows: BenchRow[] = [];
    for (const [id, end, plainPath, hubPath] of [
      ["hub-page", "the page", "/", `${annPrefix}/`],
      ["hub-health", "the open store", "/healthz", `${annPrefix}/healthz`],
    ] as const) {
      const plain: number[] = [];
      const under: number[] = [];
      for (let round = 0; round < (bench.quick ? 5 : 15); round += 1) {
        plain.push(await measurePlain(plainPath));
        under.push(await measureHub(hubPath));
      }
      const ratio = median(under.map((ms, round) => ms / (plain[round] ?? Number.NaN)));
      rows.push({
        id,
        what: `start by JupyterHub to ${end}`,
        measured: `${formatMs(median(under))}, ${formatRatio(ratio)}`,
        yardstick: `the plain program ${formatMs(median(plain))}`,
        budget: `≤ ${maxRatio} ×`,
        met: ratio <= maxRatio,
        figures: { medianMs: median(under), plainMedianMs: median(plain), ratio },
      });
    }
    return rows;
  } finally {
    await Promise.all([model.close(), hub.close()]);
  }
}
