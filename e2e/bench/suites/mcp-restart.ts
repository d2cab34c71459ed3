/** The first message after a restart of the product: nothing of the tools is in memory. With and without many tools. */
import { type ScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, epochMs, pauseFor } from "../bench";
import { type BenchRow, formatMs, median } from "../bench-row";
import { newSession, runBenchPrompt, startProduct } from "../server/bench-product";
import { chatRequests } from "../server/chat-requests";
import { addManyTools, manyTools } from "../server/echo-servers";
import { makeLoopProbe } from "../server/loop-probe";

const addedBudgetMs = 50;
const loopBudgetMs = 50;
const settleMs = 2_000;

interface FirstMessage {
  /** From the command of the message to the arrival of its request at the model server, ms. */
  readonly requestMs: number;
  /** Longest task of the server from the creation of the session to the end of the run, ms. */
  readonly longestMs: number;
}

export async function restartRows(bench: Bench, model: ScriptedModel): Promise<readonly BenchRow[]> {
  const { environment, longestTask } = makeLoopProbe(bench);
  const project = bench.folder("project");
  const [bareHome, fullHome] = [bench.folder("home"), bench.folder("home")];
  const open = (home: string) => startProduct(bench, { home, project, modelUrl: model.url, environment });
  const firstMessage = async (home: string): Promise<FirstMessage> => {
    const product = await open(home);
    try {
      await pauseFor(settleMs);
      await longestTask(product);
      const sessionId = await newSession(product);
      model.setScript({ turns: [{ text: "Done." }] });
      const sentAt = epochMs();
      await runBenchPrompt(product, sessionId, "go");
      const request = chatRequests(model.requests).find(({ at }) => at >= sentAt);
      return { requestMs: (request?.at ?? Number.NaN) - sentAt, longestMs: await longestTask(product) };
    } finally {
      await product.end();
    }
  };
  const first = await open(fullHome);
  await addManyTools(first);
  await first.end();
  const [bare, full]: [FirstMessage[], FirstMessage[]] = [[], []];
  for (let round = 0; round < (bench.quick ? 3 : 9); round += 1) {
    bare.push(await firstMessage(bareHome));
    full.push(await firstMessage(fullHome));
  }
  return [requestRow(full, bare), longestRow(full, bare)];
}

const requestMedian = (messages: readonly FirstMessage[]): number => median(messages.map(({ requestMs }) => requestMs));
const longestMedian = (messages: readonly FirstMessage[]): number => median(messages.map(({ longestMs }) => longestMs));

function requestRow(full: readonly FirstMessage[], bare: readonly FirstMessage[]): BenchRow {
  const [fullMs, bareMs] = [requestMedian(full), requestMedian(bare)];
  const addedMs = fullMs - bareMs;
  return {
    id: "mcp-restart",
    what: `the first message after a restart, to its request at the model, ${manyTools} tools`,
    measured: `${formatMs(fullMs)}, + ${formatMs(addedMs)}`,
    yardstick: `without servers ${formatMs(bareMs)}`,
    budget: `≤ + ${addedBudgetMs} ms`,
    met: addedMs <= addedBudgetMs,
    figures: { medianMs: fullMs, bareMedianMs: bareMs, addedMs, rounds: full.length },
  };
}

function longestRow(full: readonly FirstMessage[], bare: readonly FirstMessage[]): BenchRow {
  const [fullMs, bareMs] = [longestMedian(full), longestMedian(bare)];
  return {
    id: "mcp-restart-loop",
    what: "longest task of the server: this first message after a restart",
    measured: formatMs(fullMs),
    yardstick: `without servers ${formatMs(bareMs)}`,
    budget: `≤ ${loopBudgetMs} ms`,
    met: fullMs <= loopBudgetMs,
    figures: { longestMs: fullMs, bareLongestMs: bareMs, mostMs: Math.max(...full.map((one) => one.longestMs)) },
  };
}
