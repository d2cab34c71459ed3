/** Compares the list of a folder of many files, as the tree fetches it, with a plain read and sort of its names. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandOutput } from "@/lib/protocol/command";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { type BenchRow, formatMs, median } from "../bench-row";
import { type BenchProduct, startProduct } from "../server/bench-product";

const firstRowsBudgetMs = 1_000;
const folderSizes = [10_000, 100_000];

const folderName = (files: number): string => `many${files}`;

export async function largeFolder(bench: Bench): Promise<readonly BenchRow[]> {
  const sizes = bench.quick ? folderSizes.slice(0, 1) : folderSizes;
  const [home, project] = [bench.folder("home"), bench.folder("project")];
  for (const files of sizes) {
    mkdirSync(join(project, folderName(files)));
    for (let index = 0; index < files; index += 1)
      writeFileSync(join(project, folderName(files), `file${index}.ts`), "");
  }
  const model = await startScriptedModel();
  const product = await startProduct(bench, { home, project, modelUrl: model.url });
  try {
    const { projects } = await product.call("project.list", {});
    const rows: BenchRow[] = [];
    for (const files of sizes) rows.push(await listRow(product, String(projects[0]?.id), project, files));
    return rows;
  } finally {
    await product.end();
    await model.close();
  }
}

async function listRow(product: BenchProduct, projectId: string, project: string, files: number): Promise<BenchRow> {
  const [firstMs, allMs, plainMs]: [number[], number[], number[]] = [[], [], []];
  const collator = new Intl.Collator("en", { numeric: true });
  for (let round = 0; round < 5; round += 1) {
    const plainAt = performance.now();
    readdirSync(join(project, folderName(files))).sort(collator.compare);
    const startedAt = performance.now();
    plainMs.push(startedAt - plainAt);
    const input = { projectId, path: folderName(files) };
    let page: CommandOutput<"files.list"> = await product.call("files.list", input);
    firstMs.push(performance.now() - startedAt);
    let listed = page.nodes.length;
    while (listed < page.total) {
      page = await product.call("files.list", { ...input, after: { name: page.nodes.at(-1)?.name, isFolder: false } });
      listed += page.nodes.length;
    }
    allMs.push(performance.now() - startedAt);
  }
  return {
    id: `folder-${files}`,
    what: `list of a folder of ${files.toLocaleString("en")} files: first rows`,
    measured: `${formatMs(median(firstMs))}, all ${formatMs(median(allMs))}`,
    yardstick: `readdir and sort ${formatMs(median(plainMs))}`,
    budget: `≤ ${firstRowsBudgetMs} ms`,
    met: median(firstMs) <= firstRowsBudgetMs,
    figures: { firstMs: median(firstMs), allMs: median(allMs), plainMs: median(plainMs) },
  };
}
