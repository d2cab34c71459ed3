/**
 * Calls of an MCP server through the product, from their start to their end in the log, next to the official client
 * alone with the same server; and a search over the tools of many servers.
 */
import { fileURLToPath } from "node:url";
import type { SessionId } from "@/lib/events/id";
import { type ScriptedModel, type ScriptedTurn, startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench, pollFor } from "../bench";
import { type BenchRow, formatMs, formatRatio, median, percentile } from "../bench-row";
import {
  type BenchProduct,
  newSession,
  readFirstOutputLine,
  runBenchPrompt,
  startProduct,
} from "../server/bench-product";
import { addEchoServers, addManyTools, echoServer, manyToolServers, manyTools } from "../server/echo-servers";
import { makeLoopProbe } from "../server/loop-probe";
import { restartRows } from "./mcp-restart";

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const bareClient = pathOf("../data/bare-client.mjs");
const callsPerRun = 10;
const loopBudgetMs = 50;

export async function mcp(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  try {
    return [
      ...(await callRows(bench, model)),
      ...(await searchRows(bench, model)),
      ...(await restartRows(bench, model)),
    ];
  } finally {
    await model.close();
  }
}

interface BareFigures {
  readonly coldMs: number;
  readonly callMs: readonly number[];
}

async function runBareClient(bench: Bench, calls: number): Promise<BareFigures> {
  const child = bench.spawn([bareClient, `${calls}`, process.execPath, echoServer]);
  return JSON.parse(await readFirstOutputLine(child));
}

const echo = (text: string): ScriptedTurn => ({
  text: "",
  toolCalls: [{ name: "toolbox", arguments: { tool: "echo__echo", input: { text } } }],
});

/** Answers the card of the first call: always allowed. */
async function allowAlways(product: BenchProduct, sessionId: SessionId): Promise<void> {
  const approvalId = await pollFor("the card of the call", 60_000, async () => {
    const { snapshot } = await product.call("session.open", { sessionId });
    const calls = snapshot.entries.flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
    return calls.find(({ state }) => state === "waiting")?.approvals.at(-1)?.approvalId;
  });
  await product.call("session.answer", { sessionId, approvalId, option: "always" });
}

interface LoggedLine {
  /** ISO 8601 with milliseconds. */
  readonly timestamp: string;
  readonly event?: { readonly type: string; readonly callId?: string; readonly outcome?: string };
}

/** Times from the start of each call to its end in the log, ms. Rejects if one failed. */
async function loggedCallTimes(product: BenchProduct, sessionId: SessionId): Promise<readonly number[]> {
  const { text } = await product.call("session.export", { sessionId, format: "jsonl" });
  const lines = text.split("\n").flatMap((line): LoggedLine[] => (line === "" ? [] : [JSON.parse(line)]));
  const starts = new Map(
    lines.flatMap(({ timestamp, event }) =>
      event?.type === "tool_call_start" ? [[event.callId, Date.parse(timestamp)] as const] : [],
    ),
  );
  return lines.flatMap(({ timestamp, event }) => {
    if (event?.type !== "tool_call_end") return [];
    if (event.outcome !== "ok") throw new Error(`a call ended with ${event.outcome}`);
    return [Date.parse(timestamp) - (starts.get(event.callId) ?? Number.NaN)];
  });
}

async function callRows(bench: Bench, model: ScriptedModel): Promise<readonly BenchRow[]> {
  const place = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: model.url };
  const rounds = bench.quick ? 3 : 9;
  const [calls, bareCalls]: [number[], number[]] = [[], []];
  const [cold, bareCold]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const product = await startProduct(bench, place);
    if (round === 0) {
      await addEchoServers(product, { echo: 1 });
      const sessionId = await newSession(product);
      model.setScript({ turns: [echo("allow"), { text: "Done." }] });
      const ended = runBenchPrompt(product, sessionId, "go");
      await allowAlways(product, sessionId);
      await ended;
    } else {
      const sessionId = await newSession(product);
      const turns = Array.from({ length: callsPerRun }, (_, index) => echo(`${round} ${index}`));
      model.setScript({ turns: [...turns, { text: "Done." }] });
      await runBenchPrompt(product, sessionId, "go");
      const [first = Number.NaN, ...more] = await loggedCallTimes(product, sessionId);
      cold.push(first);
      calls.push(...more);
      const bare = await runBareClient(bench, callsPerRun - 1);
      bareCold.push(bare.coldMs);
      bareCalls.push(...bare.callMs);
    }
    await product.end();
  }
  return [warmRow(calls, bareCalls), coldRow(cold, bareCold)];
}

function warmRow(calls: readonly number[], bare: readonly number[]): BenchRow {
  const [p95, bareP95] = [percentile(calls, 0.95), percentile(bare, 0.95)];
  const addedMs = p95 - bareP95;
  return {
    id: "mcp-call",
    what: "a call of an echo server with an Always rule, start to end in the log, p95",
    measured: `${formatMs(p95)}, + ${formatMs(addedMs)}`,
    yardstick: `the official client alone ${formatMs(bareP95)}`,
    budget: "≤ + 10 ms",
    met: addedMs <= 10,
    figures: {
      p95Ms: p95,
      medianMs: median(calls),
      bareP95Ms: bareP95,
      bareMedianMs: median(bare),
      calls: calls.length,
    },
  };
}

function coldRow(cold: readonly number[], bare: readonly number[]): BenchRow {
  const ratio = median(cold) / median(bare);
  return {
    id: "mcp-cold",
    what: "the first call of a server that does not run, start to end in the log",
    measured: `${formatMs(median(cold))}, ${formatRatio(ratio)}`,
    yardstick: `the official client alone, loaded for it, ${formatMs(median(bare))}`,
    budget: "≤ 1.2 ×",
    met: ratio <= 1.2,
    figures: { medianMs: median(cold), bareMedianMs: median(bare), ratio, rounds: cold.length },
  };
}

async function searchRows(bench: Bench, model: ScriptedModel): Promise<readonly BenchRow[]> {
  const { environment, longestTask } = makeLoopProbe(bench);
  const place = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: model.url, environment };
  const product = await startProduct(bench, place);
  try {
    // Loads what a session needs, and gives the reference.
    await beginSession(product, model);
    await longestTask(product);
    await beginSession(product, model);
    const bareMs = await longestTask(product);
    await addManyTools(product);
    await longestTask(product);
    const sessionId = await beginSession(product, model);
    const beginMs = await longestTask(product);
    const words = ["merge branch", "invoice", "delete the photo", "group 3 report", "assign ticket", "no such thing"];
    // After the first, every other call is a question that needs no search.
    const turns = Array.from({ length: 41 }, (_, index) => {
      const search = { search: `${words[index % words.length]} ${index}` };
      const parameters = { tool: `server${index % manyToolServers}__echo` };
      return { text: "", toolCalls: [{ name: "toolbox", arguments: index % 2 === 0 ? search : parameters }] };
    });
    model.setScript({ turns: [...turns, { text: "Done." }] });
    await runBenchPrompt(product, sessionId, "search");
    const longestMs = await longestTask(product);
    return [
      searchRow(await loggedCallTimes(product, sessionId)),
      loopRow("mcp-search-loop", "these searches, the first included", longestMs, bareMs),
      loopRow("mcp-begin-loop", "the first message of a session with these tools", beginMs, bareMs),
    ];
  } finally {
    await product.end();
  }
}

const mean = (samples: readonly number[]): number =>
  samples.reduce((sum, each) => sum + each, 0) / Math.max(1, samples.length);

/** The log has whole milliseconds, so that means are compared. `times`: search and other question in turn. */
function searchRow([first = Number.NaN, ...times]: readonly number[]): BenchRow {
  const questions = times.filter((_, index) => index % 2 === 0);
  const searches = times.filter((_, index) => index % 2 === 1);
  const addedMs = mean(searches) - mean(questions);
  return {
    id: "mcp-search",
    what: `a search over ${manyTools} tools, start to end in the log`,
    measured: `${formatMs(mean(searches))}, + ${formatMs(addedMs)}, the first ${formatMs(first)}`,
    yardstick: `a question to the toolbox without a search ${formatMs(mean(questions))}`,
    budget: "≤ + 5 ms",
    met: addedMs <= 5,
    figures: { meanMs: mean(searches), questionMeanMs: mean(questions), firstMs: first, searches: searches.length },
  };
}

const loopRow = (id: string, label: string, longestMs: number, bareMs: number): BenchRow => ({
  id,
  what: `longest task of the server: ${label}`,
  measured: formatMs(longestMs),
  yardstick: `the first message of a session without servers ${formatMs(bareMs)}`,
  budget: `≤ ${loopBudgetMs} ms`,
  met: longestMs <= loopBudgetMs,
  figures: { longestMs, bareMs },
});

/** Runs the first message of a new session. */
async function beginSession(product: BenchProduct, model: ScriptedModel): Promise<SessionId> {
  const sessionId = await newSession(product);
  model.setScript({ turns: [{ text: "Done." }] });
  await runBenchPrompt(product, sessionId, "go");
  return sessionId;
}
