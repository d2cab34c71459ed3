/**
 * The doctor over scripted servers that behave like models, with the product's own agent, a real store and real files.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Script, ScriptedTurn } from "@/e2e/fixtures/scripted-model.mjs";
import type { DoctorReport, DoctorStepName } from "@/lib/models/models";
import { makeModelRig, type ModelRig } from "@/server/models/integration/test-model-rig";

const base: Script = { models: ["m:8b"], capabilities: ["completion", "tools"], vramShare: 1, context: 8_192 };
const turn: ScriptedTurn = { text: "A unit test checks one small part of a program on its own, again and again." };
const reads: ScriptedTurn = { text: "", toolCalls: [{ name: "read", arguments: { path: "note.txt" } }] };
const edits = (old: string): ScriptedTurn => ({
  text: "",
  toolCalls: [
    { name: "edit", arguments: { path: "price.js", old_string: old, new_string: old.replace("0.19", "0.21") } },
  ],
});
const nested = { tool: "shop__find_order", input: { number: "417" } };
const nests: ScriptedTurn = { text: "", toolCalls: [{ name: "toolbox", arguments: nested }] };
const line = "export const taxRate = 0.19;";
const done: ScriptedTurn = { text: "Done." };
/** The code word of the rig. */
const remembers: ScriptedTurn = { text: "The code word is **Lantern**." };

const stepOf = (report: DoctorReport | undefined, name: DoctorStepName) =>
  report?.steps.find(({ step }) => step === name);

async function examine(script: Script): Promise<{ readonly rig: ModelRig; readonly report: DoctorReport }> {
  const rig = await makeModelRig({ ...base, ...script });
  const started = await rig.doctor.start("ollama", "m:8b");
  expect(started).toMatchObject({ ok: true, value: { model: "m:8b" } });
  const { report } = await rig.doctorResult();
  expect(rig.logged).toEqual([]);
  if (report === undefined) throw new Error("the test was stopped");
  return { rig, report };
}

describe("the doctor", () => {
  test("rates a model with native calls as an agent, and stores the report by digest", async () => {
    const { rig, report } = await examine({ turns: [turn, reads, done, edits(line), done, nests, done, remembers] });
    expect(report.steps.map(({ step, state }) => [step, state])).toEqual([
      ["load", "ok"],
      ["answer", "ok"],
      ["tools", "ok"],
      ["edit", "ok"],
      ["nested", "ok"],
      ["window", "ok"],
      ["conversations", "skipped"],
      ["template", "skipped"],
    ]);
    expect(report).toMatchObject({ verdict: "agent", toolMode: "native", numCtx: 8_192 });
    expect(stepOf(report, "load")?.facts).toMatchObject({ vramShare: 1, allocated: 8_192 });
    expect(stepOf(report, "tools")?.facts).toMatchObject({ mode: "native", tries: 1, repaired: false });
    const digest = rig.access.models.state().models[0]?.digest ?? "";
    expect(rig.store.modelNotes.read().get(digest)?.note).toMatchObject({
      toolMode: { mode: "native", by: "server" },
      doctor: { verdict: "agent" },
    });
    expect(rig.access.models.state().models[0]?.note?.doctor?.verdict).toBe("agent");
  });

  test("deletes its session and its folder", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "gopi-doctor-test-"));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(temporary, { recursive: true });
    });
    const { rig } = await examine({ turns: [turn, reads, done, edits(line), done, nests, done, remembers] });
    await rig.doctor.close();
    expect(rig.store.sessions.list({ limit: 10 }).rows).toEqual([]);
    expect(readdirSync(temporary).filter((name) => name.startsWith("gopi-doctor-"))).toEqual([]);
  });

  test("reads the calls of a model that writes them as text", async () => {
    const call = (name: string, input: object): ScriptedTurn => ({
      text: `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`,
    });
    const edit = { path: "price.js", old_string: line, new_string: line.replace("0.19", "0.21") };
    const { report } = await examine({
      turns: [
        turn,
        call("read", { path: "note.txt" }),
        done,
        call("edit", edit),
        done,
        call("toolbox", nested),
        done,
        remembers,
      ],
    });
    expect(stepOf(report, "tools")).toMatchObject({ state: "ok", facts: { mode: "native", repaired: true } });
    expect(stepOf(report, "edit")?.state).toBe("ok");
    expect(report.verdict).toBe("agent");
  });

  test("tries calls in text when the server takes no tools, and new sessions then use that mode", async () => {
    const refused: ScriptedTurn = { status: 400, error: "registry.ollama.ai/library/m:8b does not support tools" };
    const react = (name: string, input: object): ScriptedTurn => ({
      text: `Thought: I need it.\nAction: ${name}\nAction Input: ${JSON.stringify(input)}`,
    });
    const edit = { path: "price.js", old_string: line, new_string: line.replace("0.19", "0.21") };
    const answer: ScriptedTurn = { text: "Final Answer: Done." };
    const { rig, report } = await examine({
      turns: [
        turn,
        refused,
        react("read", { path: "note.txt" }),
        answer,
        react("edit", edit),
        answer,
        react("toolbox", nested),
        answer,
        remembers,
      ],
    });
    expect(stepOf(report, "tools")).toMatchObject({ state: "ok", facts: { mode: "react", tries: 1 } });
    expect(report).toMatchObject({ verdict: "agent", toolMode: "react" });
    expect(rig.access.sessionModels.chooseModel({ name: "m:8b" })?.change.toolMode).toBe("react");
  });

  test("rates a model without calls in any mode as chat only", async () => {
    const { report } = await examine({ turns: [turn], defaults: { text: "I would read the file." } });
    expect(stepOf(report, "tools")).toMatchObject({ state: "failed", facts: { tries: 6 } });
    expect(stepOf(report, "edit")?.state).toBe("skipped");
    expect(report.verdict).toBe("chat");
  });

  test("rates a model that misses its edits as a helper", async () => {
    const { report } = await examine({
      turns: [turn, reads, done, edits("const rate = 0.19"), done, done, nests, done, remembers],
    });
    expect(stepOf(report, "edit")).toMatchObject({ state: "failed", facts: { tries: 2 } });
    expect(report.verdict).toBe("helper");
  });

  test("detects that the server read less than was sent", async () => {
    const cut: ScriptedTurn = { text: "I do not know.", last: { prompt_eval_count: 2_000 } };
    const { report } = await examine({ turns: [turn, reads, done, edits(line), done, nests, done, cut] });
    expect(stepOf(report, "window")).toMatchObject({
      state: "failed",
      facts: { read: 2_000 },
      error: { code: "prompt_cut" },
    });
    expect(report.verdict).toBe("helper");
  });

  test("retries with a shorter prompt when the server counts more tokens than estimated, not when its window is smaller", async () => {
    const exceeded = (tokens: number, window: number): ScriptedTurn => ({
      status: 400,
      error: JSON.stringify({
        error: { code: 400, type: "exceed_context_size_error", n_prompt_tokens: tokens, n_ctx: window },
      }),
    });
    const turns = [turn, reads, done, edits(line), done, nests, done];
    const { rig, report } = await examine({ turns: [...turns, exceeded(9_000, 8_192), remembers] });
    expect(stepOf(report, "window")?.state).toBe("ok");
    const [first, second] = rig.model.requests.filter(({ raw }) => raw.includes("the code word is"));
    const shorter = (second?.raw.length ?? 0) / (first?.raw.length ?? 1);
    expect(shorter).toBeGreaterThan(0.6);
    expect(shorter).toBeLessThan(0.75);
    const small = await examine({ turns: [...turns, exceeded(6_000, 4_096), remembers] });
    expect(stepOf(small.report, "window")).toMatchObject({ state: "failed", error: { code: "window_full" } });
  });

  test("detects that the whole prompt was read and its start forgotten", async () => {
    const { report } = await examine({
      turns: [turn, reads, done, edits(line), done, nests, done, { text: "It is banana." }],
    });
    expect(stepOf(report, "window")).toMatchObject({ state: "failed" });
    expect(stepOf(report, "window")?.error).toBeUndefined();
    expect(report.verdict).toBe("helper");
  });

  test("tries smaller windows when memory runs out, and fails when none fits", async () => {
    const error = "model requires more system memory (9.4 GiB) than is available (4.1 GiB)";
    const { report } = await examine({ fixed: { "POST /api/generate": { status: 500, body: { error } } } });
    expect(report).toMatchObject({ verdict: "unusable", numCtx: 2_048 });
    expect(stepOf(report, "load")).toMatchObject({ state: "failed", error: { code: "out_of_memory" } });
    expect(report.steps.slice(1).every(({ state }) => state === "skipped")).toBe(true);
  });

  test("keeps the smaller window for new sessions", async () => {
    const error = "model requires more system memory (9.4 GiB) than is available (4.1 GiB)";
    const turns = [turn, reads, done, edits(line), done, nests, done, remembers];
    const rig = await makeModelRig({
      ...base,
      turns,
      fixed: { "POST /api/generate": { status: 500, body: { error } } },
    });
    await rig.doctor.start("ollama", "m:8b");
    await rig.model.waitFor((requests) => requests.filter(({ path }) => path === "/api/generate").length === 1);
    rig.model.setScript({ ...base, turns });
    const { report } = await rig.doctorResult();
    expect(stepOf(report, "load")).toMatchObject({ state: "weak", error: { code: "out_of_memory" } });
    expect(report?.numCtx).toBeLessThan(8_192);
    expect(rig.access.sessionModels.chooseModel({ name: "m:8b" })?.change.numCtx).toBe(report?.numCtx);
  });

  test("runs one test at a time, and stops at once", async () => {
    const rig = await makeModelRig({ ...base, models: ["m:8b", "other:1b"], turns: [{ ...turn, holdAfter: 2 }] });
    const started = await rig.doctor.start("ollama", "m:8b");
    await rig.model.waitFor((requests) => requests.some(({ path, events }) => path === "/api/chat" && events === 2));
    expect(await rig.doctor.start("ollama", "m:8b")).toMatchObject({ ok: started.ok, value: { model: "m:8b" } });
    expect(await rig.doctor.start("ollama", "other:1b")).toMatchObject({ ok: false, error: { code: "busy" } });
    rig.doctor.cancel();
    expect(await rig.doctorResult()).toMatchObject({ model: "m:8b", cancelled: true });
    await rig.model.waitFor((requests) => requests.every(({ closed }) => closed));
    expect(rig.access.queue.isBusy(rig.access.models.state().host)).toBe(false);
    expect(rig.access.models.state().models.map(({ note }) => note?.doctor)).toEqual([undefined, undefined]);
  });

  test("fails for models that are not installed", async () => {
    const rig = await makeModelRig(base);
    expect(await rig.doctor.start("ollama", "none:1b")).toMatchObject({ ok: false, error: { code: "model_missing" } });
    expect(await rig.doctor.start("gone", "m:8b")).toMatchObject({ ok: false, error: { code: "not_found" } });
    expect(rig.doctor.current()).toBeNull();
  });
});
