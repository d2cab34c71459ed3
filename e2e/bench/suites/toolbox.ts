/**
 * Measures the costs of external tools: tokens in the first request, and start and memory of the product while their
 * servers do not run. The servers are real MCP servers.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type ScriptedModel, startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, pauseFor, pollFor, root } from "../bench";
import { type BenchRow, formatMegabytes, formatMs, median } from "../bench-row";
import {
  freshBenchCommandId,
  newSession,
  runBenchPrompt,
  startProduct,
  type BenchProduct,
} from "../server/bench-product";
import { type ChatRequestBody, lastChatRequest } from "../server/chat-requests";
import { processTree, readMemory } from "../server/process-tree";

const serverPath = (name: string): string => join(root, "node_modules/@modelcontextprotocol", name, "dist/index.js");
const windowBudgets = [
  [4_096, 134],
  [8_192, 198],
  [16_384, 582],
  [32_768, 1_094],
] as const;

export async function toolbox(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const project = bench.folder("project");
  writeFileSync(join(project, "main.ts"), "export const answer = 1;\n");
  const [bareHome, home] = [bench.folder("home"), bench.folder("home")];
  const open = (folder: string) => startProduct(bench, { home: folder, project, modelUrl: model.url });
  try {
    const bare = await open(bareHome);
    const without = new Map<number, ChatRequestBody>();
    for (const [window] of windowBudgets) without.set(window, await firstRequest(bare, model, window));
    await bare.end();
    const full = await open(home);
    const schemas = await addServers(full, project);
    const rows: BenchRow[] = [];
    for (const [window, budget] of windowBudgets) {
      const before = without.get(window);
      if (before !== undefined)
        rows.push(tokenRow(window, budget, before, await firstRequest(full, model, window), schemas));
    }
    await full.end();
    return [
      ...rows,
      ...(await idleRows(
        bench,
        () => open(bareHome),
        () => open(home),
      )),
    ];
  } finally {
    await model.close();
  }
}

interface PlainTools {
  readonly count: number;
  /** Tokens of their schemas as the servers give them. */
  readonly tokens: number;
}

/** Adds and approves the servers. */
async function addServers(product: BenchProduct, project: string): Promise<PlainTools> {
  const { projects } = await product.call("project.list", {});
  const projectId = projects[0]?.id;
  const programs: Readonly<Record<string, readonly string[]>> = {
    filesystem: [serverPath("server-filesystem"), project],
    everything: [serverPath("server-everything")],
    memory: [serverPath("server-memory")],
    thinking: [serverPath("server-sequential-thinking")],
  };
  const mcpServers = Object.fromEntries(
    Object.entries(programs).map(([name, args]) => [name, { command: process.execPath, args }]),
  );
  const text = JSON.stringify({ mcpServers });
  const { servers } = await product.call("mcp.add", { projectId, text, names: Object.keys(programs) });
  for (const { id, launchHash } of servers)
    await product.call("mcp.approve", { projectId, server: id, launch: launchHash });
  const ready = await pollFor("the tools of the servers", 60_000, async () => {
    const { servers: now } = await product.call("mcp.state", { projectId });
    return now.every(({ status, tools }) => status === "idle" && tools.length > 0) ? now : undefined;
  });
  const tools = ready.flatMap((server) => server.tools);
  const schemas = tools.map(({ name, definition }) => ({ type: "function", function: { ...definition, name } }));
  return { count: tools.length, tokens: countTokens(JSON.stringify(schemas)) };
}

/** The first request of a new session with a window of that many tokens. */
async function firstRequest(product: BenchProduct, model: ScriptedModel, window: number): Promise<ChatRequestBody> {
  const sessionId = await newSession(product);
  await product.call("session.model", { sessionId, commandId: freshBenchCommandId(), model: "", numCtx: window });
  await runBenchPrompt(product, sessionId, "hi");
  return lastChatRequest(model.requests).body;
}

const requestTokens = ({ messages, tools = [] }: ChatRequestBody): number =>
  countTokens(JSON.stringify(tools)) + messages.reduce((sum, { content }) => sum + countTokens(content), 0);

/** Tokens of the toolbox, which a request has without servers, too. */
const toolboxTokens = ({ tools = [] }: ChatRequestBody): number => countTokens(JSON.stringify(tools.at(-1)));

function tokenRow(
  window: number,
  budget: number,
  before: ChatRequestBody,
  after: ChatRequestBody,
  plain: PlainTools,
): BenchRow {
  const added = requestTokens(after) - requestTokens(before) + toolboxTokens(before);
  return {
    id: `toolbox-tokens-${window / 1_024}k`,
    what: `tokens that ${plain.count} tools of 4 servers add to the first request, ${window / 1_024}k window`,
    measured: `${added}, the toolbox included`,
    yardstick: `the same tools as plain schemas ${plain.tokens}`,
    budget: `≤ ${budget}`,
    met: added <= budget,
    figures: { addedTokens: added, plainTokens: plain.tokens, tools: plain.count },
  };
}

/** Start, memory and processes of the product with servers that do not run, beside a home without any; alternating. */
async function idleRows(
  bench: Bench,
  openBare: () => Promise<BenchProduct>,
  openFull: () => Promise<BenchProduct>,
): Promise<readonly BenchRow[]> {
  const settleMs = 3_000;
  const measure = async (open: () => Promise<BenchProduct>) => {
    const product = await open();
    await pauseFor(settleMs);
    const children = processTree(product.pid).length - 1;
    const { ussBytes } = readMemory(product.pid);
    const { readyMs } = product;
    await product.end();
    return { readyMs, ussBytes, children };
  };
  const [bare, full] = [[await measure(openBare)], [await measure(openFull)]];
  for (let round = 1; round < (bench.quick ? 3 : 9); round += 1) {
    bare.push(await measure(openBare));
    full.push(await measure(openFull));
  }
  const added = (pick: (one: (typeof bare)[number]) => number): number =>
    median(full.map(pick)) - median(bare.map(pick));
  const [startMs, bytes] = [added(({ readyMs }) => readyMs), added(({ ussBytes }) => ussBytes)];
  const children = Math.max(...full.map((one) => one.children)) - Math.max(...bare.map((one) => one.children));
  return [
    {
      id: "toolbox-start",
      what: "start of the product with 4 servers configured",
      measured: `${startMs >= 0 ? "+" : "-"} ${formatMs(Math.abs(startMs))}`,
      yardstick: `none configured ${formatMs(median(bare.map(({ readyMs }) => readyMs)))}`,
      budget: "≤ + 2 ms",
      met: startMs <= 2,
      figures: { addedMs: startMs, rounds: bare.length },
    },
    {
      id: "toolbox-idle",
      what: "idle memory and child processes with 4 servers configured",
      measured: `${bytes >= 0 ? "+" : "-"} ${formatMegabytes(Math.abs(bytes))}, ${children} processes`,
      yardstick: `none configured ${formatMegabytes(median(bare.map(({ ussBytes }) => ussBytes)))}`,
      budget: "≤ + 1 MB, 0 processes",
      met: bytes <= 1e6 && children === 0,
      figures: { addedBytes: bytes, addedProcesses: children },
    },
  ];
}
