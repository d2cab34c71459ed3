/** Starts a real llama-server with a tiny model until the end of the test. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { killProcess } from "@/lib/testing/test-process";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import { type TinyModel, writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";

export interface LlamaServer {
  /** Base URL for a connection. */
  readonly baseUrl: string;
  /** Kills it without notice, like a crash. */
  kill(): Promise<void>;
  /** Restarts the same model at the same address. */
  restart(): Promise<void>;
}

/** The program for laws, the title of their group, which says why they are skipped, and their time limit. */
export async function findServerForLaws() {
  const { program, why } = await findLlamaServer();
  const title = "a real llama-server";
  return {
    isFound: program !== null,
    program: program ?? "",
    title: program === null ? `${title} (skipped: ${why})` : title,
    /** Generous, for loading and reading on a busy machine. */
    timeout: 300_000,
  };
}

/** Resolves when the model is loaded. `window` in tokens. */
export async function startLlamaServer(program: string, model: TinyModel, window = 32_768): Promise<LlamaServer> {
  const folder = mkdtempSync(join(tmpdir(), "gopi-llama-"));
  const path = join(folder, "tiny.gguf");
  writeTinyModel(path, model);
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const ports = ["--host", "127.0.0.1", "--port", `${port}`];
    const use = ["--jinja", "-c", `${window}`, "--parallel", "1", "--threads", "1", "--no-webui"];
    const started = spawn(program, ["-m", path, ...ports, ...use], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    child = started;
    const ended = new Promise<never>((_, reject) =>
      started.once("exit", (code) => reject(new Error(`llama-server ended with ${code}`))),
    );
    await Promise.race([isHealthy(origin, started), ended]);
    ended.catch(() => {});
  };
  const kill = async (): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || ending.pid === undefined || ending.exitCode !== null) return;
    const exited = new Promise<void>((resolve) => ending.once("exit", () => resolve()));
    killProcess(-ending.pid);
    await exited;
  };
  onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return { baseUrl: `${origin}/v1`, kill, restart: start };
}

/** Probes the health on every output of the server: its last line before it is ready belongs to its start. */
function isHealthy(origin: string, server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const checkHealth = (): void =>
      void fetch(`${origin}/health`).then(
        (answer) => {
          if (answer.ok) resolve();
        },
        () => {},
      );
    for (const output of [server.stdout, server.stderr]) output?.on("data", checkHealth);
  });
}

export const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
