/** Compares the output of a terminal, read by a client that confirms it, with a bare reader of a pseudo terminal. */
import { spawn } from "@lydell/node-pty";
import type { SentPush } from "@/lib/protocol/push";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import { type BenchRow, formatMs, formatRatio, median } from "../bench-row";
import { startProduct } from "../server/bench-product";
import { connectSocket } from "../server/bench-socket";

const throughputBudget = 0.8;
const readyMarker = "the-shell-reads-commands";
const marker = "the-end-of-output";

/** Prints its last argument at once when the shell reads commands; the command itself does not contain the text. */
const echoOf = (text: string): string => `echo ${text.slice(0, 4)}''${text.slice(4)}\r`;

/** Prints numbered lines, then the marker. */
const commandOf = (lines: number): string => `seq 1 ${lines}; ${echoOf(marker)}`;

/**
 * Resolves with the time from the command until its last line was read, ms. The time in which the shell starts and reads
 * the user's files is not part of it.
 */
async function measureLines(shell: BenchShell, lines: number): Promise<number> {
  await shell.writeAndRead(echoOf(readyMarker), readyMarker);
  const startedAt = performance.now();
  await shell.writeAndRead(commandOf(lines), marker);
  return performance.now() - startedAt;
}

interface BenchShell {
  /** Writes a command; resolves when the expected text was read. */
  writeAndRead(command: string, expected: string): Promise<void>;
  /** Called for all output. */
  readonly read: (text: string) => void;
}

function makeShell(write: (command: string) => void): BenchShell {
  let tail = "";
  let [expected, resolve] = ["", (): void => {}];
  return {
    writeAndRead: (command, text) =>
      new Promise((resolved) => {
        [tail, expected, resolve] = ["", text, resolved];
        write(command);
      }),
    read(text) {
      tail = (tail + text).slice(-200);
      if (expected !== "" && tail.includes(expected)) resolve();
    },
  };
}

async function measureBare(cwd: string, lines: number): Promise<number> {
  const pty = spawn("/bin/bash", ["--norc"], { cols: 80, rows: 24, cwd, env: process.env });
  const shell = makeShell((command) => pty.write(command));
  pty.onData(shell.read);
  const tookMs = await measureLines(shell, lines);
  pty.kill("SIGKILL");
  return tookMs;
}

export async function terminalThroughput(bench: Bench): Promise<readonly BenchRow[]> {
  const lines = bench.quick ? 500_000 : 2_000_000;
  const [home, project] = [bench.folder("home"), bench.folder("project")];
  const model = await startScriptedModel();
  const product = await startProduct(bench, { home, project, modelUrl: model.url });
  const socket = await connectSocket(product, home);
  try {
    const { projects } = await product.call("project.list", {});
    const open = () => product.call("terminal.open", { projectId: projects[0]?.id, columns: 80, rows: 24 });
    const measure = async (): Promise<number> => {
      const { terminal } = await open();
      const shell = makeShell((text) => void product.call("terminal.write", { terminalId: terminal.id, text }));
      socket.on("push", (push: SentPush, confirm?: () => void) => {
        if (push.type === "terminal" && push.terminalId === terminal.id) shell.read(push.text);
        confirm?.();
      });
      // After the listener, which has to confirm every message.
      await socket.emitWithAck("call", "topic.subscribe", { topic: "terminal", subject: terminal.id });
      const tookMs = await measureLines(shell, lines);
      socket.off("push");
      await product.call("terminal.close", { terminalId: terminal.id });
      return tookMs;
    };
    const [ownMs, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
      bare.push(await measureBare(project, lines));
      ownMs.push(await measure());
    }
    const ratio = median(bare.map((each, index) => each / (ownMs[index] ?? Number.NaN)));
    return [
      {
        id: "terminal-throughput",
        what: `terminal: ${lines.toLocaleString("en")} lines to a client`,
        measured: `${formatMs(median(ownMs))}, ${formatRatio(ratio)} the speed`,
        yardstick: `bare reader of a pseudo terminal ${formatMs(median(bare))}`,
        budget: `≥ ${throughputBudget} ×`,
        met: ratio >= throughputBudget,
        figures: { medianMs: median(ownMs), bareMedianMs: median(bare), ratio, lines },
      },
    ];
  } finally {
    socket.close();
    await product.end();
    await model.close();
  }
}
