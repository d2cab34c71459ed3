/** Trials over a real store; the tools are defined as those of servers and scripts are. */
import { expect, onTestFinished, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { asId, type BlobId, type Hash, type ProjectId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { makeTestHarness } from "@/server/session/testing/test-harness";
import { type ExternalCall, ToolError, type ToolResult } from "@/server/tools/core/tool";
import type { CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { defineExternalTool } from "@/server/tools/toolbox/external-tool";
import { toForeignOutput } from "@/server/tools/toolbox/foreign-result";
import { trialsFeature } from "./trials-feature";

const projectId = asId<ProjectId>("p1");
const parameters: Json = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
type Run = (input: Json, call: ExternalCall, signal: AbortSignal) => Promise<ToolResult>;

/** A feature over one tool, `shop__buy`. */
async function makeTrialRig(run: Run) {
  const { store } = await makeTestHarness();
  let listed: CatalogueTool[] = [];
  const offer = (definition: string, obstacle: CatalogueTool["obstacle"] = null): void => {
    const common = {
      name: "shop__buy",
      source: "shop",
      description: 'Buys things. <context about="mode">',
      parameters,
    };
    const tool = defineExternalTool({
      ...common,
      ownName: "buy",
      definition: asId<Hash>(definition),
      run: (input, call, _dependencies, signal) => run(input, call, signal),
    });
    listed = [{ ...common, obstacle, isPinned: false, tool }];
  };
  offer("a");
  const feature = trialsFeature({
    store,
    services: { catalogue: () => ({ sources: [], tools: listed }) },
    async loadTools() {},
  });
  const stop = new AbortController();
  const ended = feature.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { ...feature.commands, offer, end: () => stop.abort() };
}

const tried = { projectId, tool: "shop__buy", input: { count: "2" } };
const bound = { definition: asId<Hash>("a"), trial: "t1" };
const answer = (text: string, more: Partial<ToolResult> = {}): Promise<ToolResult> =>
  Promise.resolve({ output: [{ type: "text", text }], facts: {}, ...more });

test("a call is shown as it is sent, then run outside of a session, which answers no questions", async () => {
  const calls: unknown[] = [];
  const rig = await makeTrialRig((input, { id, isAttended }) => {
    calls.push([input, id, isAttended()]);
    const image = { type: "image" as const, mime: "image/png", blob: asId<never>("b1") };
    return answer("bought", { output: [{ type: "text", text: "bought" }, image], failed: true });
  });
  expect(await rig["trials.tool"](tried)).toEqual({ ok: true, value: { parameters } });
  expect(await rig["trials.preview"](tried)).toEqual({
    ok: true,
    value: { source: "shop", tool: "buy", input: { count: 2 }, definition: "a" },
  });
  expect(calls).toEqual([]);
  expect(await rig["trials.run"]({ ...tried, ...bound })).toEqual({
    ok: true,
    value: { text: "bought", images: [{ blob: "b1", mime: "image/png" }], failed: true },
  });
  expect(calls).toEqual([[{ count: 2 }, null, false]]);
});

test("a file in the result is named with its type and size, and is not offered to be saved", async () => {
  const bytes = Buffer.alloc(2_000);
  const rig = await makeTrialRig((_input, _call, signal) =>
    toForeignOutput(
      {
        isError: false,
        content: [{ type: "blob", uri: "file:///a/b.pdf", mime: "application/pdf", data: bytes.toString("base64") }],
      },
      { source: "shop", vision: true, storeBlob: async () => asId<BlobId>("b1") },
      signal,
    ),
  );
  const run = await rig["trials.run"]({ ...tried, ...bound });
  expect(JSON.stringify(run)).toContain("[b.pdf: application/pdf, 2.0 KB, not kept after a trial]");
  expect(JSON.stringify(run)).not.toContain("stored for the user");
});

test("a command that a client sends again after a new connection does not call the tool again", async () => {
  let calls = 0;
  const rig = await makeTrialRig(() => answer(String((calls += 1))));
  const run = () => rig["trials.run"]({ ...tried, ...bound });
  expect(await Promise.all([run(), run()])).toMatchObject([{ value: { text: "1" } }, { value: { text: "1" } }]);
  expect(await run()).toMatchObject({ value: { text: "1" } });
  expect(await rig["trials.run"]({ ...tried, ...bound, trial: "t2" })).toMatchObject({ value: { text: "2" } });
});

test("a tool that cannot be called, or is another than the one shown, is not called", async () => {
  const rig = await makeTrialRig(() => Promise.reject(new Error("called")));
  const run = (more = {}) => rig["trials.run"]({ ...tried, ...bound, ...more });
  expect(await run({ tool: "shop__sell" })).toMatchObject({ error: { code: "not_found" } });
  expect(await run({ input: {} })).toMatchObject({
    error: { code: "bad_input", detail: expect.stringMatching(/count/) },
  });
  rig.offer("b");
  expect(await run()).toMatchObject({ error: { code: "changed_meanwhile" } });
  rig.offer("a", { kind: "off" });
  for (const result of [await run(), await rig["trials.preview"](tried), await rig["trials.tool"](tried)])
    expect(result).toMatchObject({ error: { code: "changed_meanwhile" } });
});

test("a failure has the text that a model would get; a long answer is cut as for a model", async () => {
  const failing = await makeTrialRig(() => Promise.reject(new ToolError("tool_failed", "The server ended.")));
  expect(await failing["trials.run"]({ ...tried, ...bound })).toMatchObject({
    error: { code: "tool_failed", detail: "The server ended." },
  });
  const long = await makeTrialRig(() => answer("x".repeat(serverLimits.answerBytes * 2)));
  const cut = await long["trials.run"]({ ...tried, ...bound });
  expect(cut.ok && cut.value.text.length).toBeLessThanOrEqual(serverLimits.answerBytes + 200);
});

test("the tools that can be called are offered, and described as a model reads them", async () => {
  const rig = await makeTrialRig(() => answer("bought"));
  expect(await rig["tools.offers"]({ projectId })).toEqual({
    ok: true,
    value: { tools: [{ name: "shop__buy", description: "Buys things" }] },
  });
  const described = await rig["tools.describe"]({ projectId, tool: "shop__buy" });
  expect(described).toMatchObject({ ok: true });
  expect(JSON.stringify(described)).toContain("Buys things. &lt;context about=");
  expect(JSON.stringify(described)).toContain("shop__buy(count: number)");
  rig.offer("a", { kind: "off" });
  expect(await rig["tools.offers"]({ projectId })).toEqual({ ok: true, value: { tools: [] } });
  expect(await rig["tools.describe"]({ projectId, tool: "shop__buy" })).toMatchObject({ error: { code: "not_found" } });
});

test("Stop ends a trial, and so does the end of the program", async () => {
  for (const cause of ["stop", "end"] as const) {
    let stopped = false;
    let started = (): void => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    const rig = await makeTrialRig((_input, _call, signal) => {
      started();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          stopped = true;
          reject(signal.reason);
        });
      });
    });
    const run = rig["trials.run"]({ ...tried, ...bound });
    await running;
    if (cause === "stop") await rig["trials.stop"]({ trial: "t1" });
    else rig.end();
    expect(await run).toMatchObject({ error: { code: "aborted" } });
    expect(stopped).toBe(true);
  }
});
