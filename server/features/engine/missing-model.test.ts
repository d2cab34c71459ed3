/** A test of a model that the engine does not have. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { engineConnectionId } from "@/lib/models/engine";
import { makeEngineRig } from "./test-engine-rig";

test("the doctor reports that the model is not there and which ones are, and stores nothing", async () => {
  const { rig, add } = await makeEngineRig("/nowhere/llama-server");
  const examine = (name: string) => rig.doctor.start(engineConnectionId, name);
  const missing = (model: string, available: string) => ({
    error: { code: "model_missing", facts: { model, available } },
  });
  expect(await examine("none")).toMatchObject(missing("none", ""));
  await add("one", { answers: [] });
  await add("two", { answers: [] });
  expect(await examine("none")).toMatchObject(missing("none", "one, two"));
  rmSync(join(rig.home, "one.gguf"));
  expect(await examine("one")).toMatchObject(missing("one", "two"));
  expect(rig.store.modelNotes.read().size).toBe(0);
  expect(rig.doctor.current()).toBeNull();
});
