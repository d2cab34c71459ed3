/** Compares the output of a terminal, read by a client that confirms it, with a bare reader of a pseudo terminal. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { io } from "socket.io-client";
import type { SentPush } from "@/lib/protocol/push";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { type BenchRow, formatMs, formatRatio, median } from "../bench-row";
import { startProduct } from "../server/bench-product";

const throughputBudget = 0.8;
const marker = "the-end-of-output";

/** Prints numbered lines, then the marker; the command itself does not contain it. */
const commandOf = (lines: number): string => `seq 1 ${lines}; echo ${marker.slice(0, 4)}''${marker.slice(4)}\r`;

/** Resolves with the time from the command until its last line was read, ms. */
function measureBare(cwd: string, lines: number): Promise<number> {
  return new Promise((resolve) => {
    const pty = spawn("/bin/bash", ["--norc"], { cols: 80, rows: 24, cwd, env: process.env });
    const startedAt = performance.now();
    let tail = "";
    pty.onData((text) => {
      tail = (tail + text).slice(-200);
      if (!tail.includes(marker)) return;
      resolve(performance.now() - startedAt);
      pty.kill("SIGKILL");
    });
    pty.write(commandOf(lines));
  });
}

export async function terminalThroughput(bench: Bench): Promise<readonly BenchRow[]> {
  const lines = bench.quick ? 500_000 : 2_000_000;
  const [home, project] = [bench.folder("home"), bench.folder("project")];
  const model = await startScriptedModel();
  const product = await startProduct(bench, { home, project, modelUrl: model.url });
  const { token }: { token: string } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
  const socket = io(`http://127.0.0.1:${product.port}`, {
    transports: ["websocket"],
    auth: { clientId: "benchterminal" },
    extraHeaders: { host: `localhost:${product.port}`, authorization: `Bearer ${token}` },
  });
  try {
    const { projects } = await product.call("project.list", {});
    const open = () => product.call("terminal.open", { projectId: projects[0]?.id, columns: 80, rows: 24 });
    const measure = async (): Promise<number> => {
      const { terminal } = await open();
      const ended = new Promise<void>((resolve) => {
        let tail = "";
        socket.on("push", (push: SentPush, confirm?: () => void) => {
          if (push.type === "terminal" && push.terminalId === terminal.id) {
            tail = (tail + push.text).slice(-200);
            if (tail.includes(marker)) resolve();
          }
          confirm?.();
        });
      });
      // After the listener, which has to confirm every message.
      await socket.emitWithAck("call", "topic.subscribe", { topic: "terminal", subject: terminal.id });
      const startedAt = performance.now();
      await product.call("terminal.write", { terminalId: terminal.id, text: commandOf(lines) });
      await ended;
      const tookMs = performance.now() - startedAt;
      socket.off("push");
      await product.call("terminal.close", { terminalId: terminal.id });
      return tookMs;
    };
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
      bare.push(await measureBare(project, lines));
      ours.push(await measure());
    }
    const ratio = median(bare.map((each, index) => each / (ours[index] ?? Number.NaN)));
    return [
      {
        id: "terminal-throughput",
        what: `terminal: ${lines.toLocaleString("en")} lines to a client`,
        measured: `${formatMs(median(ours))}, ${formatRatio(ratio)} the speed`,
        yardstick: `bare reader of a pseudo terminal ${formatMs(median(bare))}`,
        budget: `≥ ${throughputBudget} ×`,
        met: ratio >= throughputBudget,
        figures: { medianMs: median(ours), bareMedianMs: median(bare), ratio, lines },
      },
    ];
  } finally {
    socket.close();
    await product.end();
    await model.close();
  }
}
