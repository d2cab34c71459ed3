/** Images with the built-in engine: a real process with a tiny model and a tiny projector. */
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type TinyModel, writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { writeTinyProjector } from "@/e2e/fixtures/tiny-projector.mjs";
import type { ImageRef } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { imageHandlers } from "@/server/handlers/session/image-handlers";
import { answersOf, sendPrompt, tinyModelWith } from "@/server/models/integration/test-tiny-session";
import { engineProgram, type EngineRig, makeEngineRig } from "./test-engine-rig";

const title =
  engineProgram.program === null ? `images with the engine (skipped: ${engineProgram.why})` : "images with the engine";
const timeout = 120_000;

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const webp = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";
const window = 32_768;
const tokensPerSide = 8;
/** Marks that llama.cpp puts around an image of this projector; a tiny model has a token for each character. */
const imageMarks = "<start_of_image><end_of_image>";
const imageTokens = tokensPerSide ** 2 + imageMarks.length;

/** Outputs per tool mode that read `cat.png` and describe it. */
const readImageOutputs: Readonly<Record<ToolMode, readonly string[]>> = {
  native: ['I read it.\n<tool_call>\n{"name": "read", "arguments": {"path": "cat.png"}}\n</tool_call>', "A cat."],
  react: ['Thought: I read it.\nAction: read\nAction Input: {"path": "cat.png"}', "Final Answer: A cat."],
  xml: ['I read it.\n<tool name="read"><path>cat.png</path></tool>', "A cat."],
};

async function makeRig(model: TinyModel): Promise<EngineRig> {
  const made = await makeEngineRig();
  const projector = join(made.rig.home, "mmproj.gguf");
  writeTinyProjector(projector, { tokensPerSide });
  await made.add("sees", model, projector);
  await made.add("blind", model);
  return made;
}

/** Stores an image as the composer does. */
async function storedImage(rig: EngineRig["rig"], data: string): Promise<readonly ImageRef[]> {
  const image = imageHandlers(rig)["images.add"]({ data });
  if (!image.ok) throw new Error(image.error.code);
  return [image.value];
}

const errors = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "error" ? [entry.error.code] : []));
const usagesOf = (view: SessionView) =>
  answersOf(view).map(({ usage }) => ({ prompt: usage?.promptTokens ?? 0, cached: usage?.cachedTokens ?? 0 }));

describe.skipIf(engineProgram.program === null)(title, () => {
  test("an image of a message is read by the model, and stays in its cache", { timeout }, async () => {
    // Answers of one length: the prompts differ by the image only.
    const { rig, session } = await makeRig(tinyModelWith("Yes", "Now", "Cat", "Dog", "End"));
    const talk = await session("sees", { numCtx: window });
    // The first messages also contain the context of the project.
    for (const text of ["Hello.", "Look."]) expect(await sendPrompt(talk, text)).toBe("done");
    expect(await sendPrompt(talk, "What is it?", await storedImage(rig, png))).toBe("done");
    for (let turn = 0; turn < 2; turn += 1) expect(await sendPrompt(talk, "What is it?")).toBe("done");
    expect(errors(talk.view)).toEqual([]);
    expect(JSON.stringify(answersOf(talk.view)[2]?.blocks)).toContain("Cat");
    const usages = usagesOf(talk.view);
    const prompts = usages.map(({ prompt }) => prompt);
    const growth = prompts.map((prompt, index) => prompt - (prompts[index - 1] ?? 0));
    expect((growth[2] ?? 0) - (growth[3] ?? 0)).toBe(imageTokens);
    for (const [index, { cached }] of usages.entries())
      if (index > 0) expect(cached).toBeGreaterThanOrEqual(prompts[index - 1] ?? Infinity);
  });

  test.each(["native", "react", "xml"] as const)(
    "an image that a tool returns to calls made as %s is read by the model",
    { timeout },
    async (mode) => {
      const { rig, session } = await makeRig(tinyModelWith(...readImageOutputs[mode], "Still a cat."));
      writeFileSync(join(rig.root, "cat.png"), Buffer.from(png, "base64"));
      const talk = await session("sees", { toolMode: mode, numCtx: window });
      expect(await sendPrompt(talk, "What is in cat.png?")).toBe("done");
      expect(await sendPrompt(talk, "And now?")).toBe("done");
      expect(errors(talk.view)).toEqual([]);
      const usages = usagesOf(talk.view);
      expect(usages).toHaveLength(3);
      const [before, after, next] = usages;
      expect((after?.prompt ?? 0) - (before?.prompt ?? 0)).toBeGreaterThan(imageTokens);
      expect(after?.cached).toBeGreaterThanOrEqual(before?.prompt ?? Infinity);
      expect(next?.cached).toBeGreaterThanOrEqual(after?.prompt ?? Infinity);
    },
  );

  test("a model without a projector gets no image: the message is refused, the tool returns a line", {
    timeout,
  }, async () => {
    const { rig, session } = await makeRig(tinyModelWith(...readImageOutputs.react));
    expect(imageHandlers(rig)["images.check"]({ model: "blind" })).toMatchObject({ error: { code: "no_vision" } });
    const talk = await session("blind", { toolMode: "react", numCtx: window });
    const images = await storedImage(rig, png);
    await expect(sendPrompt(talk, "What is it?", images)).rejects.toThrow("no_vision");
    writeFileSync(join(rig.root, "cat.png"), Buffer.from(png, "base64"));
    expect(await sendPrompt(talk, "What is in cat.png?")).toBe("done");
    expect(errors(talk.view)).toEqual([]);
    expect(JSON.stringify(pathEntries(talk.view))).toContain("This model cannot see images.");
  });

  test("a WebP image, which llama.cpp does not read, does not fail the requests of its session", {
    timeout,
  }, async () => {
    const { rig, session } = await makeRig(tinyModelWith("Nothing.", "Still nothing."));
    const talk = await session("sees", { numCtx: window });
    expect(await sendPrompt(talk, "What is it?", await storedImage(rig, webp))).toBe("done");
    expect(await sendPrompt(talk, "And now?")).toBe("done");
    expect(errors(talk.view)).toEqual([]);
  });

  test("a projector that is gone or no projector leaves a model that reads no images", { timeout }, async () => {
    const { rig, engine, add, session } = await makeEngineRig();
    const projector = join(rig.home, "mmproj.gguf");
    writeTinyProjector(projector);
    await add("sees", tinyModelWith("Hello."), projector);
    rmSync(projector);
    expect((await engine.state()).models).toMatchObject([{ info: { capabilities: ["completion", "tools"] } }]);
    expect(await sendPrompt(await session("sees", { numCtx: window }), "Hi.")).toBe("done");
    writeTinyModel(projector, tinyModelWith("No projector."));
    expect((await engine.state()).models).toMatchObject([{ info: { capabilities: ["completion", "tools"] } }]);
    expect(await sendPrompt(await session("sees", { numCtx: window }), "Hi.")).toBe("done");
  });

  test.each([
    ["of another model", (path: string) => writeTinyProjector(path, { textWidth: 128 })],
    ["that is cut", (path: string) => truncateSync(path, 3_000)],
  ])("a projector %s is reported as a broken file", { timeout }, async (_, spoil) => {
    const { rig, session } = await makeRig(tinyModelWith("Hello."));
    spoil(join(rig.home, "mmproj.gguf"));
    const talk = await session("sees", { numCtx: window });
    await sendPrompt(talk, "Hi.");
    expect(errors(talk.view)).toEqual(["model_file_broken"]);
  });
});
