/** Settings in models.yaml apply to requests, whether from the file or from the page, and are displayed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type CommandId } from "@/lib/events/id";
import { modelHandlers } from "@/server/handlers/models/model-handlers";
import { makeModelRig, type ModelRig } from "./test-model-rig";

const never = new AbortController().signal;
let counted = 0;
const command = (): CommandId => asId<CommandId>(`c${(counted += 1)}`);

async function sentOptions(rig: ModelRig): Promise<unknown> {
  await rig.access.models.refresh(never);
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  const { project: row, root } = project.value;
  const session = rig.registry.create({ projectId: row.id, cwd: root, mode: "ask", commandId: command() });
  const sent = session.send("hi", "prompt", command());
  expect(sent.ok && (await sent.value.done)).toBe("done");
  return rig.model.requests.findLast(({ path }) => path === "/api/chat")?.body;
}
const choose = (rig: ModelRig) => modelHandlers(rig, () => null)["models.choose"];
const write = (rig: ModelRig, text: string): void => writeFileSync(join(rig.home, "models.yaml"), text);
const turns = [{ text: "one" }, { text: "two" }, { text: "three" }];

describe("the settings of models.yaml", () => {
  test("apply to requests, and so does their removal", async () => {
    const rig = await makeModelRig({ turns });
    write(
      rig,
      '"scripted*":\n  temperature: 0.3\n  keep_alive: 7m\n  max_output: 300\nscripted:\n  context_window: 8192\n  tool_calling: react\n',
    );
    await rig.access.modelsFile.start();
    const body = await sentOptions(rig);
    expect(body).toMatchObject({
      keep_alive: "7m",
      options: { num_ctx: 8_192, num_predict: 300, temperature: 0.3 },
    });
    expect(body).not.toHaveProperty("tools");
    write(rig, "");
    expect(await rig.access.modelsFile.ready()).toMatchObject({ ok: true });
    const plain = await sentOptions(rig);
    expect(plain).toMatchObject({ keep_alive: "30m", options: { num_ctx: 16_384 } });
    expect(plain).not.toHaveProperty("options.temperature");
    expect(plain).toHaveProperty("tools");
  });

  test("contain the choices of the page, and the page shows the file", async () => {
    const rig = await makeModelRig({ turns });
    const set = { temperature: 1.5, maxOutputTokens: 512, keepAliveMinutes: -1, numCtx: 4_096 } as const;
    expect(await choose(rig)({ model: "scripted", ...set })).toEqual({ ok: true, value: null });
    expect(await sentOptions(rig)).toMatchObject({
      keep_alive: -1,
      options: { num_ctx: 4_096, num_predict: 512, temperature: 1.5 },
    });
    expect(rig.access.models.state().models[0]?.note).toMatchObject(set);
    expect(rig.pushes).toContainEqual({ type: "models_file", problems: [] });
    expect(await choose(rig)({ model: "scripted", temperature: "auto", numCtx: 0 })).toMatchObject({
      ok: true,
    });
    expect(await sentOptions(rig)).not.toHaveProperty("options.temperature");
  });

  test("have the longest answer of the settings where the model has none", async () => {
    const rig = await makeModelRig({ turns });
    rig.settings.current = { ...rig.settings.current, maxOutputTokens: 700 };
    expect(await sentOptions(rig)).toMatchObject({ options: { num_predict: 700 } });
    await choose(rig)({ model: "scripted", maxOutputTokens: 900 });
    expect(await sentOptions(rig)).toMatchObject({ options: { num_predict: 900 } });
  });

  test("turn thinking of new sessions on or off", async () => {
    const rig = await makeModelRig({ turns, capabilities: ["completion", "tools", "thinking"] });
    write(rig, "scripted:\n  think: false\n");
    await rig.access.modelsFile.start();
    expect(await sentOptions(rig)).toMatchObject({ think: false });
  });

  test("change nothing while the file is broken: the page's changes are refused, requests stay the same", async () => {
    const rig = await makeModelRig({ turns });
    write(rig, "scripted:\n  temperature: 0.3\n");
    await rig.access.modelsFile.start();
    write(rig, "scripted: {\n");
    expect(await choose(rig)({ model: "scripted", temperature: 1 })).toMatchObject({
      error: { code: "models_invalid", facts: { line: 2 } },
    });
    expect(await sentOptions(rig)).toMatchObject({ options: { temperature: 0.3 } });
  });

  test("from an older version, stored in the note, apply until changed and then move into the file", async () => {
    const rig = await makeModelRig({ turns });
    await rig.access.models.refresh(never);
    const { digest, name } = rig.access.models.keyOf("scripted");
    const noteKey = digest ?? `ollama:${name}`;
    rig.store.modelNotes.write(noteKey, { note: { numCtx: 4_096, profile: "full", writePerSecond: 5 } });
    const again = await makeModelRig({ turns });
    again.store.modelNotes.write(noteKey, { note: { numCtx: 4_096, profile: "full", writePerSecond: 5 } });
    expect(await sentOptions(again)).toMatchObject({ options: { num_ctx: 4_096 } });
    await choose(again)({ model: "scripted", temperature: 1 });
    expect(again.store.modelSettings.read()).toEqual([
      { name: "scripted:latest", settings: { numCtx: 4_096, profile: "full", temperature: 1 } },
    ]);
    expect(again.store.modelNotes.read().get(noteKey)?.note).not.toHaveProperty("numCtx");
  });
});
