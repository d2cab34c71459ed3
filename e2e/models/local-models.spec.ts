/** Models that other agents cannot use well: calls as text, no tools at all, a window of 4k. Each does the main job. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { mainJobTurns, mimeFix, testCommand } from "../fixtures/mime-project";
import { asFencedJson, asReact, asTaggedJson } from "../fixtures/text-tool-calls";
import type { Script, ScriptedModel, ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { readLoggedEvents } from "../fixtures/stored-log";
import { allowFirstEdit, allowTestsAlways, expectSecondEdit, finishMainJob, mainJobPrompt } from "../pages/main-job";
import { uiNames } from "../pages/ui-names";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";
import type { SessionPageObject } from "../pages/session-page";

test.use({ hasOwnServer: true });

async function doMainJob(session: SessionPageObject, project: string): Promise<void> {
  await allowFirstEdit(session);
  await allowTestsAlways(session);
  await expectSecondEdit(session);
  await finishMainJob(session);
  expect(await readFile(join(project, mimeFix.file), "utf8")).toContain(mimeFix.right);
}

/** Returns the bodies of the chat requests, parsed with the fields that the specs read. */
const requestsTo = (
  model: ScriptedModel,
): readonly {
  readonly tools?: readonly unknown[];
  readonly messages: readonly { role: string; content: string }[];
}[] => chatRequestBodies(model).map((raw) => JSON.parse(raw));

for (const [manner, spoken] of [
  ["fenced JSON", asFencedJson],
  ["tagged JSON", asTaggedJson],
] as const) {
  test(
    `a model that prints its calls as ${manner} does the main job, and each card states that its call was read from text`,
    manner === "fenced JSON" ? onlyInFull : {},
    async ({ bench, project, model }) => {
      model.setScript({ turns: mainJobTurns.map(spoken) });
      const { session } = bench;
      await bench.begin(mainJobPrompt);
      await doMainJob(session, project);
      await expect(session.conversation.getByText(uiNames.repaired, { exact: true })).not.toHaveCount(0);
      // Text that became a call is not shown as text as well.
      await expect(session.conversation).not.toContainText('"arguments"');
      // The server accepts tools, so they are offered in every request: nine of the prompt, and the start of subagents.
      expect(requestsTo(model).every(({ tools = [] }) => tools.length === 10)).toBe(true);
    },
  );
}

const noTools: Script = { capabilities: ["completion"] };
test.describe("without the tools capability", () => {
  test.use({ script: noTools });

  test(
    "a model without tools does the main job step by step, and results that it invents are cut off",
    onlyInFull,
    async ({ bench, project, model, server }) => {
      model.setScript({ ...noTools, turns: mainJobTurns.flatMap(asReact) });
      const { session } = bench;
      const id = await bench.begin(mainJobPrompt);
      await doMainJob(session, project);
      await expect(session.conversation).not.toContainText("nothing had to be changed");
      const requests = requestsTo(model);
      expect(requests).toHaveLength(mainJobTurns.flatMap(asReact).length);
      expect(requests.every(({ tools = [] }) => tools.length === 0)).toBe(true);
      expect(requests.at(-1)?.messages.at(-1)).toMatchObject({
        role: "user",
        content: expect.stringContaining("Observation"),
      });
      await server.kill("SIGTERM");
      const changes = readLoggedEvents(server.home, id).flatMap(({ event }) =>
        event.type === "model_change" ? [event.toolMode] : [],
      );
      expect(changes).toEqual(["react"]);
    },
  );
});

test(
  "a model whose server refuses tools is asked again without them, and the screen reports it",
  onlyInFull,
  async ({ bench, project, model }) => {
    const refusal: ScriptedTurn = {
      status: 400,
      error: "registry.ollama.ai/library/scripted:latest does not support tools",
    };
    model.setScript({ turns: [refusal, ...mainJobTurns.flatMap(asReact)] });
    const { session } = bench;
    await bench.begin(mainJobPrompt);
    await doMainJob(session, project);
    const offered = requestsTo(model).map(({ tools = [] }) => tools.length);
    expect(offered[0]).toBe(10);
    expect(new Set(offered.slice(1))).toEqual(new Set([0]));
    // The result is stored: the next session does not try again.
    model.setScript({ turns: [{ text: "Final Answer: Hello." }] });
    await bench.page.goto(new URL("/", bench.page.url()).href);
    await bench.begin("hi");
    await expect(session.conversation.getByText("Hello.")).toBeVisible();
    expect(requestsTo(model).at(-1)?.tools ?? []).toEqual([]);
  },
);

test(
  "a model with a window of 4k does the main job with compactions, and the task stays in every request",
  onlyInFull,
  async ({ bench, project, model }) => {
    const readFrom = (offset: number): ScriptedTurn => ({
      text: `I read on from line ${offset}.`,
      toolCalls: [
        { name: "read", arguments: { path: "types.json", offset, limit: 200 } },
        { name: "bash", arguments: { command: "cat src/test.js" } },
      ],
    });
    const summary: ScriptedTurn = {
      text: "Task state: looking for the bug.\nDone: files were read.\nKey findings: none.\nDecisions: none.",
    };
    const readTurns = Array.from({ length: 6 }, (_, index) => readFrom(1 + index * 20));
    model.setScript({
      context: 4_096,
      turns: [...readTurns, ...mainJobTurns],
      side: { when: uiNames.summaryRequest, turn: summary },
    });
    const { session } = bench;
    await bench.begin(mainJobPrompt);
    await doMainJob(session, project);
    await expect(session.conversation.getByText(uiNames.compacted)).not.toHaveCount(0);
    const requests = chatRequestBodies(model);
    expect(requests.every((raw) => raw.includes(mainJobPrompt))).toBe(true);
    // The server refuses a prompt that does not fit, so a refused request would appear as a second one of the same step.
    await expect(session.conversation).not.toContainText("does not fit");
    expect(requests.some((raw) => raw.includes(testCommand))).toBe(true);
  },
);

test("a call that an answer shows as an example runs once the user decides so, and another one is dismissed", async ({
  bench,
  project,
  model,
}) => {
  const show = (path: string): string =>
    `For example:\n\n<tool_call>\n{"name": "write", "arguments": {"path": "${path}", "content": "made"}}\n</tool_call>`;
  model.setScript({
    turns: [{ text: show("first.txt") }, { text: show("second.txt") }, { text: "It is made." }],
  });
  const { session } = bench;
  await bench.begin("Show me how you write a file.");
  await expect(session.conversation).toContainText("first.txt");
  await session.conversation.getByRole("button", { name: uiNames.notCall }).press("Enter");
  await expect(session.conversation.getByRole("button", { name: uiNames.runCall })).toHaveCount(0);
  await expect(session.composer).toBeFocused();
  await session.sendMessage("And another one.");
  await expect(session.conversation).toContainText("second.txt");
  const before = requestsTo(model).at(-1)?.messages ?? [];
  await session.conversation.getByRole("button", { name: uiNames.runCall }).press("Enter");
  await session.card.once.waitFor();
  await session.waitForCardRest();
  await session.card.once.click();
  await expect(session.conversation).toContainText("It is made.");
  expect(await readFile(join(project, "second.txt"), "utf8")).toBe("made");
  const after = requestsTo(model).at(-1)?.messages ?? [];
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map(({ role }) => role)).toEqual(["assistant", "user"]);
  expect(after.at(-1)?.content).toContain("Created second.txt");
});
