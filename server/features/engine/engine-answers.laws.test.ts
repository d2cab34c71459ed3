/** Possible answers of a model, through the parsers and templates of a real llama-server. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import { lawCases } from "@/lib/testing/law-runs";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { answersOf, callText, sendPrompt } from "@/server/models/integration/test-tiny-session";
import { errorCodesOf, makeEngineRig, writeRecordingProgram } from "./test-engine-rig";

const found = await findLlamaServer();
const program = found.program ?? "";
const title = found.program === null ? `answers of the engine (skipped: ${found.why})` : "answers of the engine";
const timeout = 300_000;
const toolModes = ["native", "react", "xml"] as const;
const numCtx = 32_768;

const textOf = (view: SessionView, type: "text" | "thinking"): string =>
  answersOf(view)
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === type ? [block.text] : [])))
    .join("\n");
const callsOf = (view: SessionView) => answersOf(view).flatMap(({ calls }) => calls);
const retriesOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "retry" ? [entry.error.code] : []));

describe.skipIf(found.program === null)(title, () => {
  test.each([true, false])("have the thinking that was requested: %s", { timeout }, async (think) => {
    const recording = writeRecordingProgram(program);
    const { add, session } = await makeEngineRig(recording.program);
    await add("tiny", { answers: [{ thinking: "The user greets me.", text: "Good morning." }] });
    const talk = await session("tiny", { think });
    expect(await sendPrompt(talk, "Good morning.")).toBe("done");
    expect(textOf(talk.view, "thinking").trim()).toBe(think ? "The user greets me." : "");
    expect(textOf(talk.view, "text").trim()).toBe("Good morning.");
    expect(recording.requests()[0]?.template).toBe(JSON.stringify({ enable_thinking: think }));
  });

  test.each(lawCases(["low", "medium", "high", "max"] as const))(
    "get the level %s in their template",
    { timeout },
    async (think) => {
      const recording = writeRecordingProgram(program);
      const { add, session } = await makeEngineRig(recording.program);
      await add("tiny", { answers: [{ thinking: "The user greets me.", text: "Good morning." }] });
      const talk = await session("tiny", { think });
      expect(await sendPrompt(talk, "Good morning.")).toBe("done");
      expect(textOf(talk.view, "thinking").trim()).toBe("The user greets me.");
      expect(recording.requests()[0]?.prompt).toContain(`\nReasoning: ${think}\n`);
    },
  );

  const greetings = "Größe 大小 👩‍👩‍👧 <b>&amp;</b> \\";
  describe.each(lawCases(toolModes))("as %s", (toolMode) => {
    test.each([1, 2, 3, 5])(
      "are complete when their tokens of %i bytes divide tags and characters",
      { timeout },
      async (bytesPerToken) => {
        const { rig, add, session } = await makeEngineRig(program);
        const begin = toolMode === "react" ? "Thought: I write 大小 👩‍👩‍👧 first." : "I write 大小 👩‍👩‍👧 first.";
        const call = callText(toolMode, "write", { path: "copy 大.txt", content: greetings });
        const end = `${toolMode === "react" ? "Final Answer: " : ""}Done: ${greetings}`;
        await add("tiny", {
          answers: [
            { text: `${begin}\n${call}`, bytesPerToken },
            { text: end, bytesPerToken },
          ],
        });
        const talk = await session("tiny", { toolMode, numCtx });
        expect(await sendPrompt(talk, "Greet.")).toBe("done");
        expect(callsOf(talk.view)).toMatchObject([{ name: "write", state: "ok" }]);
        expect(readFileSync(join(rig.root, "copy 大.txt"), "utf8").trim()).toBe(greetings);
        expect(textOf(talk.view, toolMode === "react" ? "thinking" : "text")).toContain("I write 大小 👩‍👩‍👧 first.");
        expect(textOf(talk.view, "text").trim().endsWith(`Done: ${greetings}`)).toBe(true);
      },
    );
  });

  test.each(["native", "xml"] as const)(
    "with several calls made as %s run all of them",
    { timeout },
    async (toolMode) => {
      const { rig, add, session } = await makeEngineRig(program);
      const names = ["one", "two", "three"];
      const calls = names.map((name) => callText(toolMode, "write", { path: `${name}.txt`, content: name }));
      await add("tiny", {
        answers: [{ text: `I write all.\n${calls.join("\n")}`, bytesPerToken: 3 }, { text: "Done." }],
      });
      const talk = await session("tiny", { toolMode, numCtx });
      expect(await sendPrompt(talk, "Write.")).toBe("done");
      expect(callsOf(talk.view).map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
      for (const name of names) expect(readFileSync(join(rig.root, `${name}.txt`), "utf8").trim()).toBe(name);
    },
  );

  test("of more than 2,000 tokens arrive whole", { timeout }, async () => {
    const { add, session } = await makeEngineRig(program);
    const text = Array.from({ length: 2_500 }, (_, index) => `n${index}`).join(" ");
    await add("tiny", { answers: [{ text }] });
    const talk = await session("tiny", { toolMode: "react", numCtx });
    expect(await sendPrompt(talk, "Count.")).toBe("done");
    expect(textOf(talk.view, "text").trim()).toBe(text);
    expect(answersOf(talk.view)[0]?.usage?.outputTokens).toBeGreaterThan(2_000);
    expect(errorCodesOf(talk.view)).toEqual([]);
  });

  test("that repeat themselves without end are stopped; the engine serves the next request", { timeout }, async () => {
    const { add, session } = await makeEngineRig(program);
    await add("tiny", {
      answers: [{ text: "The same sentence comes again and again. ", repeats: "text" }, { text: "I stopped." }],
    });
    const talk = await session("tiny", { toolMode: "react", numCtx });
    expect(await sendPrompt(talk, "Begin.")).toBe("limit");
    expect(errorCodesOf(talk.view)).toEqual(["repeated_text"]);
    expect(await sendPrompt(talk, "Stop it.")).toBe("done");
    expect(textOf(talk.view, "text")).toContain("I stopped.");
  });

  test("whose thinking repeats itself without end are requested once without it", { timeout }, async () => {
    const { add, session } = await makeEngineRig(program);
    const thinking = "The user wants to hear about it once more. ";
    await add("tiny", { answers: [{ thinking, repeats: "thinking", text: "Here it is." }] });
    const talk = await session("tiny", { toolMode: "react", numCtx });
    expect(await sendPrompt(talk, "Begin.")).toBe("done");
    expect(retriesOf(talk.view)).toEqual(["repeated_text"]);
    expect(textOf(talk.view, "text").trim()).toBe("Here it is.");
  });
});
