/**
 * The built product as a process with its own home, driven by its HTTP API with the bearer token; and a bare HTTP
 * server as the reference.
 */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { CommandName, CommandOutput, CommandRequest } from "@/lib/protocol/command";
import { asId, type CommandId, type SessionId } from "@/lib/events/id";
import { type Bench, endProcess, root, pollFor } from "../bench";

export interface BenchProduct {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  /** URL that signs one browser in. */
  readonly url: string;
  /** From the start of the process to its line of JSON, ms. */
  readonly readyMs: number;
  call<N extends CommandName>(name: N, input: ProductInput<N>): Promise<CommandOutput<N>>;
  /** Runs `session.import`, whose text is too large for a call. */
  importFile(input: Omit<ProductInput<"session.import">, "text">, text: string): Promise<void>;
  end(): Promise<void>;
}

/** Ids are plain strings on the wire. */
type ProductInput<N extends CommandName> = { readonly [K in keyof CommandRequest<N>]: unknown };

interface BenchProductOptions {
  readonly home: string;
  readonly project: string;
  readonly modelUrl: string;
  readonly port?: number;
  /** Added to the environment of the bench. */
  readonly environment?: NodeJS.Dict<string>;
}

export const productArguments = ({ home, project, port }: BenchProductOptions): readonly string[] => [
  join(root, "bin/gopi-web.mjs"),
  project,
  "--home",
  home,
  "--port",
  String(port ?? 0),
  "--no-open",
  "--json",
];

export const productEnvironment = (modelUrl: string): NodeJS.ProcessEnv => ({ ...process.env, OLLAMA_HOST: modelUrl });

export async function startProduct(bench: Bench, options: BenchProductOptions): Promise<BenchProduct> {
  const startedAt = performance.now();
  const child = bench.spawn(productArguments(options), {
    env: { ...productEnvironment(options.modelUrl), ...options.environment },
  });
  const ready: { url: string; port: number; pid: number } = JSON.parse(await readFirstOutputLine(child));
  const readyMs = performance.now() - startedAt;
  const { token }: { token: string } = JSON.parse(readFileSync(join(options.home, "server.json"), "utf8"));
  const post = async (path: string, type: string, body: string) => {
    const response = await fetch(`http://localhost:${ready.port}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      body,
    });
    const answer = await response.json();
    if (answer.ok !== true) throw new Error(`${path}: ${JSON.stringify(answer.error)}`);
    return answer.value;
  };
  return {
    child,
    ...ready,
    readyMs,
    call: (name, input) => post("/api/call", "application/json", JSON.stringify({ name, input })),
    importFile: (input, text) => post("/api/import", "application/x-ndjson", `${JSON.stringify(input)}\n${text}`),
    end: () => endProcess(child),
  };
}

/** Returns the first line of stdout; rejects when the process ends without one. */
export function readFirstOutputLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors += String(chunk);
    });
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${errors.trim().slice(-500)}`)));
    if (child.stdout) createInterface({ input: child.stdout }).once("line", resolve);
  });
}

const bareServerCode =
  "require('node:http').createServer((_, r) => r.end('ok')).listen(Number(process.argv[1]), '127.0.0.1', () => console.log('ready'))";

export const bareArguments = (port: number): readonly string[] => ["-e", bareServerCode, String(port)];

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

export const freshBenchCommandId = (): CommandId => asId<CommandId>(`bench-${crypto.randomUUID()}`);

/** Creates a session in the product's project. */
export async function newSession(product: BenchProduct, mode: "ask" | "full" = "ask"): Promise<SessionId> {
  const { projects } = await product.call("project.list", {});
  const { row } = await product.call("session.create", {
    projectId: projects[0]?.id,
    commandId: freshBenchCommandId(),
    mode,
  });
  return row.id;
}

/** Sends a prompt and waits for the end of its run. */
export async function runBenchPrompt(
  product: BenchProduct,
  sessionId: SessionId,
  text: string,
  limitMs = 60_000,
): Promise<void> {
  const { seq } = await product.call("session.send", {
    sessionId,
    commandId: freshBenchCommandId(),
    text,
    intent: "prompt",
  });
  await pollFor("the end of a run", limitMs, async () => {
    const { rows } = await product.call("session.list", {});
    const row = rows.find((one) => one.id === sessionId);
    return row !== undefined && row.status !== "running" && row.lastSeq > seq ? row : undefined;
  });
}
