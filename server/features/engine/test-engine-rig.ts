/** Test rig: the services of the product with the built-in engine, a real process with tiny models. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import { type TinyModel, writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import type { ToolMode } from "@/lib/events/event";
import { engineConnectionId } from "@/lib/models/engine";
import { makeModelRig, type ModelRig } from "@/server/models/integration/test-model-rig";
import { openTinySession } from "@/server/models/integration/test-tiny-session";
import type { Session } from "@/server/session/core/session-types";
import { type Engine, makeEngine } from "./engine";

/** `program` null = the tests are skipped, for the reason in `why`. */
export const engineProgram = await findLlamaServer();

export interface EngineRig {
  readonly rig: ModelRig;
  readonly engine: Engine;
  /** Writes a model's file; it is not added. */
  file(name: string, model: TinyModel): string;
  /** `projector` = path of a file that reads images. */
  add(name: string, model: TinyModel, projector?: string): Promise<void>;
  session(model: string, toolMode?: ToolMode, numCtx?: number): Promise<Session>;
}

export async function makeEngineRig(): Promise<EngineRig> {
  const rig = await makeModelRig();
  const environment = { ...process.env, HOME: rig.home, GOPI_LLAMA_SERVER: engineProgram.program ?? "" };
  const { access, home, leftovers, settings } = rig;
  const push = (message: (typeof rig.pushes)[number]): void => void rig.pushes.push(message);
  const engine = makeEngine({ access, environment, home, leftovers, push, settings: () => settings.current });
  onTestFinished(() => engine.close());
  await engine.open();
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
    session: (name, toolMode, numCtx) =>
      openTinySession(rig, { name, connection: engineConnectionId, toolMode, numCtx }),
  };
}
