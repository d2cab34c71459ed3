/** The doctor's reports on the engine's models: stored by what is in the file, over a real process with tiny models. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { engineConnectionId } from "@/lib/models/engine";
import type { DoctorReport } from "@/lib/models/models";
import { makeEngine } from "./engine";
import { engineProgram, type EngineRig, makeEngineRig } from "./test-engine-rig";

const { program, why } = engineProgram;
const title = program === null ? `the doctor and the engine (skipped: ${why})` : "the doctor and the engine";
const timeout = 300_000;

/** A model that answers, reads a file and repeats the rig's code word; `end` is its last answer. */
const readerWith = (end: string): TinyModel => ({
  answers: [
    { text: 'The lantern.\n<tool_call>\n{"name": "read", "arguments": {"path": "note.txt"}}\n</tool_call>' },
    { text: end },
  ],
  otherwise: end,
});

async function examine({ rig }: EngineRig): Promise<DoctorReport> {
  expect(await rig.doctor.start(engineConnectionId, "tiny")).toMatchObject({ ok: true, value: { model: "tiny" } });
  const { report } = await rig.doctorResult();
  expect(rig.logged).toEqual([]);
  if (report === undefined) throw new Error("the test was stopped");
  return report;
}

/** As a new session and the model menu get it. */
async function listedReport({ rig: { access } }: EngineRig, name = "tiny"): Promise<DoctorReport | undefined> {
  await access.connections.models({ id: engineConnectionId });
  const models = access.servers.get(engineConnectionId)?.facts().models ?? [];
  const model = models.find((one) => one.name === name);
  if (model === undefined) throw new Error(`no ${name}`);
  return model.note?.doctor;
}

describe.skipIf(program === null)(title, () => {
  test("a report stays with the file's content, after a restart, under another name and after a removal", {
    timeout,
  }, async () => {
    const engineRig = await makeEngineRig();
    const { rig, engine, file } = engineRig;
    await engineRig.add("tiny", readerWith("It was read."));
    expect(await listedReport(engineRig)).toBeUndefined();
    const report = await examine(engineRig);
    expect(report.steps.map(({ step, state }) => [step, state])).toEqual([
      ["load", "skipped"],
      ["answer", "ok"],
      ["tools", "ok"],
      ["edit", "failed"],
      ["nested", "failed"],
      ["window", "ok"],
      ["conversations", "ok"],
      ["template", "ok"],
    ]);
    // As llama-server reports it.
    const { facts } = report.steps.find(({ step }) => step === "conversations") ?? {};
    expect(facts).toMatchObject({ keeps: "yes", cached: expect.any(Number), prompt: expect.any(Number) });
    expect(report).toMatchObject({ model: "tiny", toolMode: "native" });
    expect(await listedReport(engineRig)).toMatchObject({ at: report.at, verdict: report.verdict });

    await engine.close();
    const { access, home, leftovers, settings } = rig;
    const environment: NodeJS.ProcessEnv = { NODE_ENV: "test", HOME: rig.home, GOPI_LLAMA_SERVER: program ?? "" };
    const again = makeEngine({ access, environment, home, leftovers, push() {}, settings: () => settings.current });
    onTestFinished(() => again.close());
    await again.open();
    expect(await listedReport(engineRig)).toMatchObject({ at: report.at });

    await again.add({ file: file("copy", readerWith("It was read.")) });
    expect(await listedReport(engineRig, "copy")).toMatchObject({ at: report.at });

    // The same file, downloaded again.
    for (const { name } of (await again.state()).models) expect(await again.remove(name)).toMatchObject({ ok: true });
    rmSync(file("tiny", readerWith("It was read.")));
    await again.add({ file: file("again", readerWith("It was read.")) });
    expect(await listedReport(engineRig, "again")).toMatchObject({ at: report.at });
  });

  test("a replaced file has no report, and is what the next request loads", { timeout }, async () => {
    const engineRig = await makeEngineRig();
    const { rig, file, add } = engineRig;
    await add("tiny", readerWith("It was read."));
    const report = await examine(engineRig);
    // The process of the first file is still there.
    file("tiny", { answers: [], otherwise: "I cannot call anything." });
    expect(await listedReport(engineRig)).toBeUndefined();
    const second = await examine(engineRig);
    expect(second.at).toBeGreaterThan(report.at);
    expect(second.steps.find(({ step }) => step === "tools")).toMatchObject({ state: "failed" });
    file("tiny", readerWith("It was read."));
    expect(await listedReport(engineRig)).toMatchObject({ at: report.at });
    writeFileSync(join(rig.home, "tiny.gguf"), "no model");
    expect(await listedReport(engineRig)).toBeUndefined();
  });
});
