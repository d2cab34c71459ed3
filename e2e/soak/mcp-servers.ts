/** Stdio servers that start and stop again and again, and the product killed while three of them are at work. */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { ApprovalId, SessionId } from "@/lib/events/id";
import type { ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { findProcesses } from "../fixtures/server";
import { pollUntil } from "./random";
import { freshSoakCommandId, SoakProduct } from "./soak-product";

const echoServer = fileURLToPath(new URL("../fixtures/echo-server.mjs", import.meta.url));
const names = ["one", "two", "three"] as const;
/** A server that runs longer after its end is left over, ms. */
const leftMs = 20_000;
/** Servers that are not at work after this time will not be, ms. */
const workMs = 120_000;

interface ServerRounds {
  /** Starts and stops of one server. */
  readonly stops: number;
  /** Kills of the product while three servers are in a call. */
  readonly kills: number;
}

/** Returns what was left running, as text; empty = nothing. Rejects when the harness fails. */
export async function exerciseServers({ stops, kills }: ServerRounds): Promise<readonly string[]> {
  const subject = await SoakProduct.start();
  const rig = makeRig(subject);
  const left: string[] = [];
  try {
    await rig.addServers();
    await rig.call({ text: "hello", isLast: true });
    for (let round = 0; round < stops; round += 1) {
      await rig.stopServers();
      if (rig.processes().length > 0) left.push(`after stop ${round}: ${rig.processes().length} servers`);
      await rig.call({ text: `${round}`, isLast: true });
    }
    for (let round = 0; round < kills; round += 1) {
      await rig.call({ text: "hang", isLast: false });
      const areAtWork = () => rig.processes().length === names.length || undefined;
      await pollUntil("the servers at work", areAtWork, workMs).catch(() => {
        throw new Error(`round ${round}: ${rig.processes().length} servers at work; before: ${left.join(", ")}`);
      });
      await subject.kill();
      await subject.restart();
      await rig.waitForNone();
      if (rig.processes().length > 0) left.push(`after kill ${round}: ${rig.processes().length} servers`);
    }
  } finally {
    left.push(...(await subject.end()));
  }
  return left;
}

function makeRig(subject: SoakProduct) {
  const mark = `servers-of-${basename(subject.place.root)}`;
  const ofProject = () => ({ projectId: subject.projectId });
  const turnOf = (text: string): ScriptedTurn => ({
    text: "",
    toolCalls: names.map((name) => ({ name: "toolbox", arguments: { tool: `${name}__echo`, input: { text } } })),
  });
  const isRunEnded = async (sessionId: SessionId): Promise<boolean> => {
    const { rows } = await subject.callOrThrow("session.list", {});
    const row = rows.find((one) => one.id === sessionId);
    return row !== undefined && row.status !== "running" && row.lastSeq > 2;
  };
  const processes = () => findProcesses(mark);
  /** Resolves at the latest after the limit, with servers that still run. */
  const waitForNone = async (): Promise<void> => {
    const none = () => processes().length === 0 || undefined;
    await pollUntil("the end of the servers", none, leftMs).catch(() => undefined);
  };
  return {
    /** The running servers. */
    processes,
    async addServers(): Promise<void> {
      const server = { command: process.execPath, args: [echoServer, "1", mark] };
      const text = JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, server])) });
      const { servers } = await subject.callOrThrow("mcp.add", { ...ofProject(), text, names });
      for (const { id, launchHash } of servers)
        await subject.callOrThrow("mcp.approve", { ...ofProject(), server: id, launch: launchHash });
      await pollUntil("the tools of the servers", async () => {
        const { servers: now } = await subject.callOrThrow("mcp.state", ofProject());
        return now.every(({ status, tools }) => status === "idle" && tools.length > 0) || undefined;
      });
    },
    async stopServers(): Promise<void> {
      const { servers } = await subject.callOrThrow("mcp.state", ofProject());
      for (const { id } of servers) await subject.callOrThrow("mcp.stop", { ...ofProject(), server: id });
      await waitForNone();
    },
    waitForNone,
    /** One call of each server in a new session; `isLast`: waits for the end of the run. */
    async call({ text, isLast }: { readonly text: string; readonly isLast: boolean }): Promise<void> {
      const sessionId = await subject.newSession("full");
      subject.model.setScript({ turns: [turnOf(text), { text: "Done." }] });
      const commandId = freshSoakCommandId();
      await subject.callOrThrow("session.send", { sessionId, commandId, text: "go", intent: "prompt" });
      if (!isLast) return;
      await pollUntil("the end of the run", async () => {
        await allowWaiting(subject, sessionId);
        return (await isRunEnded(sessionId)) || undefined;
      });
    },
  };
}

/** Answers the cards that wait. */
async function allowWaiting(subject: SoakProduct, sessionId: SessionId): Promise<void> {
  const { snapshot } = await subject.callOrThrow("session.open", { sessionId });
  const waiting = snapshot.entries.flatMap((entry): ApprovalId[] =>
    entry.kind === "message"
      ? entry.calls.flatMap(({ state, approvals }) => {
          const approvalId = state === "waiting" ? approvals.at(-1)?.approvalId : undefined;
          return approvalId === undefined ? [] : [approvalId];
        })
      : [],
  );
  for (const approvalId of waiting) await subject.call("session.answer", { sessionId, approvalId, option: "once" });
}
