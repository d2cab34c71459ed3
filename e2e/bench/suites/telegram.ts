/** Telegram on a Bot API of this machine: what it adds to the memory, and how late a token of the model arrives there. */
import type { BotApiServer } from "../../fixtures/telegram/bot-api-server";
import { startBotApiServer } from "../../fixtures/telegram/bot-api-server";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { stampedAnswer } from "../data/answers";
import { type Bench, pauseFor, pollFor } from "../bench";
import { type BenchRow, formatMegabytes, formatMs, median, percentile, unmeasuredRow } from "../bench-row";
import { type BenchProduct, startProduct } from "../server/bench-product";
import { readMemory } from "../server/process-tree";

const ada = { id: 7, first_name: "Ada" };
const kind = "telegram";
const settleMs = 10_000;
const memoryBudgetBytes = 15 * 1_048_576;
/** Between two drafts of one chat (server/features/channels/telegram/telegram-timings.ts), and what a token may add to it. */
const draftPaceMs = 1_000;
const addedBudgetMs = 100;
const limitMs = 120_000;
/** As many stamps as one message holds. */
const tokens = 220;
const tokensPerSecond = 50;

export async function telegram(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const start = () =>
    startProduct(bench, { home: bench.folder("home"), project: bench.folder("project"), modelUrl: model.url });
  const addedBytes: number[] = [];
  const delays: number[] = [];
  try {
    for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
      const bot = await startBotApiServer();
      const [plain, product] = [await start(), await start()];
      await pairAda(product, bot);
      if (process.platform === "linux") {
        await pauseFor(settleMs);
        addedBytes.push(readMemory(product.pid).ussBytes - readMemory(plain.pid).ussBytes);
      }
      model.setScript({ turns: [{ pieces: stampedAnswer(tokens, "END"), stamp: true, tps: tokensPerSecond }] });
      bot.write(ada, "A long one");
      await pollFor("the end of the answer", limitMs, async () => sentTexts(bot).some(endsAnswer) || undefined);
      delays.push(...tokenDelays(bot));
      await Promise.all([plain.end(), product.end(), bot.close()]);
    }
  } finally {
    await model.close();
  }
  return [memoryRow(addedBytes), tokenRow(delays)];
}

async function pairAda({ call }: BenchProduct, bot: BotApiServer): Promise<void> {
  await call("channels.set", { kind, apiAddress: bot.address });
  await call("channels.set_token", { kind, token: bot.token });
  await call("channels.set", { kind, isOn: true });
  await pollFor("the channel", limitMs, async () => {
    const { channels } = await call("channels.list", {});
    return channels[0]?.connection.kind === "online" || undefined;
  });
  const { link } = await call("channels.pair", { kind });
  bot.write(ada, `/start ${new URL(link).searchParams.get("start") ?? ""}`);
  await bot.until(() => bot.messages(ada.id).length > 0);
}

const endsAnswer = ({ text }: { readonly text: string }): boolean => text.includes("\n\nEND");

/** The texts that the chat was sent, drafts included, with the time of their arrival, ms epoch. */
const sentTexts = (bot: BotApiServer): readonly { readonly text: string; readonly at: number }[] =>
  bot.requests.flatMap(({ payload, at }) => (typeof payload.text === "string" ? [{ text: payload.text, at }] : []));

/** Time from the writing of each token to the arrival of the first text that contains it, ms. */
function tokenDelays(bot: BotApiServer): readonly number[] {
  const arrivals = new Map<number, number>();
  for (const { text, at } of sentTexts(bot))
    for (const [, tenths] of text.matchAll(/q(\d+)q/g))
      if (!arrivals.has(Number(tenths))) arrivals.set(Number(tenths), at);
  return [...arrivals].map(([tenths, at]) => at - tenths / 10);
}

function memoryRow(addedBytes: readonly number[]): BenchRow {
  const id = "telegram-memory";
  const label = "idle memory with Telegram on, beside the same server without it: private (USS)";
  if (addedBytes.length === 0) return unmeasuredRow(id, label, "needs /proc");
  const added = median(addedBytes);
  return {
    id,
    what: label,
    measured: `+ ${formatMegabytes(added)}`,
    yardstick: "the same server without it",
    budget: `≤ + ${formatMegabytes(memoryBudgetBytes)}`,
    met: added <= memoryBudgetBytes,
    figures: { addedBytes: added, mostBytes: Math.max(...addedBytes), rounds: addedBytes.length },
  };
}

function tokenRow(delays: readonly number[]): BenchRow {
  const [p50, p95] = [percentile(delays, 0.5), percentile(delays, 0.95)];
  return {
    id: "telegram-token",
    what: `token at the model server to Telegram's, ${tokensPerSecond} tokens/s`,
    measured: `p50 ${formatMs(p50)}, p95 ${formatMs(p95)} (n ${delays.length})`,
    yardstick: `one draft every ${formatMs(draftPaceMs)}`,
    budget: `p95 ≤ ${formatMs(draftPaceMs + addedBudgetMs)}`,
    met: p95 <= draftPaceMs + addedBudgetMs,
    figures: { p50Ms: p50, p95Ms: p95, longestMs: Math.max(...delays), samples: delays.length },
  };
}
