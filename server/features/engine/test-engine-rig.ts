/** The built-in engine over real services, with tiny models on a real llama-server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import { type TinyModel, writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import type { Envelope, Think, ToolMode } from "@/lib/events/event";
import { engineConnectionId } from "@/lib/models/engine";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { makeModelRig, type ModelRig } from "@/server/models/integration/test-model-rig";
import { openTinySession } from "@/server/models/integration/test-tiny-session";
import type { Session } from "@/server/session/core/session-types";
import { type Engine, makeEngine } from "./engine";

/** `program` null = the tests are skipped, for the reason in `why`. */
export const engineProgram = await findLlamaServer();

interface TinySessionOptions {
  readonly toolMode?: ToolMode;
  /** Window, tokens. */
  readonly numCtx?: number;
  readonly think?: Think;
}

export interface EngineRig {
  readonly rig: ModelRig;
  readonly engine: Engine;
  /** Writes a model's file; it is not added. */
  file(name: string, model: TinyModel): string;
  /** `projector` = path of a file that reads images. */
  add(name: string, model: TinyModel, projector?: string): Promise<void>;
  session(model: string, options?: TinySessionOptions): Promise<Session>;
}

/** `program` = the engine's; empty = none but those of the `environment`. */
export async function makeEngineRig(
  program = engineProgram.program ?? "",
  environment: NodeJS.Dict<string> = {},
): Promise<EngineRig> {
  const rig = await makeModelRig();
  const engine = await openEngine(rig, program, environment);
  const file = (name: string, model: TinyModel): string => {
    const path = join(rig.home, `${name}.gguf`);
    writeTinyModel(path, model);
    return path;
  };
  return {
    rig,
    engine,
    file,
    async add(name, model, projector) {
      const added = await engine.add({ file: file(name, model), projector });
      if (!added.ok) throw new Error(added.error.code);
    },
    session: (name, options) => openTinySession(rig, { name, connection: engineConnectionId, ...options }),
  };
}

/** Starts an engine over these services, as the feature does, until the end of the test. */
export async function openEngine(
  rig: Pick<ModelRig, "access" | "home" | "leftovers" | "settings" | "pushes">,
  program: string,
  more: NodeJS.Dict<string> = {},
): Promise<Engine> {
  const environment = { ...process.env, HOME: rig.home, GOPI_LLAMA_SERVER: program, ...more };
  const { access, home, leftovers, settings } = rig;
  const push = (message: (typeof rig.pushes)[number]): void => void rig.pushes.push(message);
  const engine = makeEngine({ access, environment, home, leftovers, push, settings: () => settings.current });
  onTestFinished(() => engine.close());
  await engine.open();
  return engine;
}

/** A request as the server received it: parts of its body as JSON, and the prompt that the chat template made of it. */
interface RecordedRequest {
  readonly messages: string;
  readonly tools: string;
  /** Arguments of the template. */
  readonly template: string;
  readonly prompt: string;
}

interface RecordingProgram {
  readonly program: string;
  /** Oldest first. */
  requests(): readonly RecordedRequest[];
}

/** Writes a program that runs llama-server behind a proxy, which records all requests for answers. */
export function writeRecordingProgram(program: string): RecordingProgram {
  const folder = mkdtempSync(join(tmpdir(), "gopi-recording-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [path, records] = [join(folder, "llama-server"), join(folder, "requests.jsonl")];
  const script = resolve("e2e/fixtures/recording-llama-server.mjs");
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${script}" "${records}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(records, "");
  return { program: path, requests: () => readFileSync(records, "utf8").trim().split("\n").map(parseRecord) };
}

function parseRecord(line: string): RecordedRequest {
  const { body, prompt }: { readonly body: string; readonly prompt: string } = JSON.parse(line);
  const { messages, tools = [], chat_template_kwargs: template = {} }: Record<string, unknown> = JSON.parse(body);
  return {
    messages: JSON.stringify(messages),
    tools: JSON.stringify(tools),
    template: JSON.stringify(template),
    prompt,
  };
}

/** Resolves with the next event that matches. */
export const nextEvent = (session: Session, matches: (event: Envelope["event"]) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const leave = session.subscribe(({ event }) => {
      if (!matches(event)) return;
      leave();
      resolve();
    });
  });

export const errorCodesOf = (view: SessionView): readonly string[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "error" ? [entry.error.code] : []));
