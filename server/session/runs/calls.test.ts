/** Tests of tool calls through a session: approvals, concurrency, results for the model. Real files and bash. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { joinTextBlocks } from "@/lib/events/content";
import { asId, type ApprovalId } from "@/lib/events/id";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { type CallView, pathEntries } from "@/lib/view/view";
import type { GateVerdict } from "@/lib/permissions/gate";
import type { Tool } from "@/server/tools/core/tool";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import {
  promptAndWait,
  callAnswer,
  waitForCards,
  testCommandId,
  type Gate,
  type TestHarness,
  makeGate,
  makeTestHarness,
  storedRows,
  textAnswer,
  testTab,
  waitForView,
} from "../testing/test-harness";
import { callsPerMessage } from "@/server/agent/tools/run-calls";

const allCalls = (session: Session): readonly CallView[] =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
const results = (harness: TestHarness, request: number): readonly string[] =>
  (harness.requests[request]?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));
const eventTypes = (harness: TestHarness, session: Session): readonly string[] =>
  storedRows(harness, session.id).map(({ event }) => event.type);
const expectValidLog = (harness: TestHarness, session: Session): void =>
  expect(auditLog(storedRows(harness, session.id))).toEqual([]);
const readProjectFile = (harness: TestHarness, name: string): string => readFileSync(join(harness.root, name), "utf8");

describe("asking", () => {
  test("the card is stored before anything runs, start and request in one commit, and yes runs the call", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "echo made > made.txt" }]), textAnswer("Done."));
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    expect(existsSync(join(harness.root, "made.txt"))).toBe(false);
    const rows = storedRows(harness, session.id);
    const start = rows.findIndex(({ event }) => event.type === "tool_call_start");
    expect(rows[start + 1]?.event.type).toBe("approval_request");
    expect(rows[start + 1]?.at).toBe(rows[start]?.at);
    expect(harness.store.sessions.get(session.id)?.status).toBe("waiting");
    expect(session.answer(card?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, testTab)).toBe(true);
    expect(await done).toBe("done");
    expect(readProjectFile(harness, "made.txt")).toBe("made\n");
    expectValidLog(harness, session);
  });

  test("the first answer wins, from any tab; later and unknown ones return false", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "echo x >> made.txt" }]), textAnswer("Done."));
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    const id = card?.approvalId ?? asId<ApprovalId>("");
    expect(session.answer(asId<ApprovalId>("nobody"), { option: "once" }, testTab)).toBe(false);
    expect(session.answer(id, { option: "edits" }, testTab)).toBe(false);
    expect(session.answer(id, { option: "once" }, testTab)).toBe(true);
    expect(session.answer(id, { option: "deny" }, testTab)).toBe(false);
    expect(await done).toBe("done");
    expect(readProjectFile(harness, "made.txt")).toBe("x\n");
    expectValidLog(harness, session);
  });

  test("an answer given while the request is being published is not lost", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch a" }]), textAnswer("Done."));
    session.subscribe(({ event }) => {
      if (event.type === "approval_request") session.answer(event.approvalId, { option: "once" }, testTab);
    });
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(existsSync(join(harness.root, "a"))).toBe(true);
  });

  test("a denial gives its reason to the model and is not an error of the run", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch a" }]), textAnswer("Sorry."));
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    session.answer(card?.approvalId ?? asId<ApprovalId>(""), { option: "deny", reason: " use make " }, testTab);
    expect(await done).toBe("done");
    expect(results(harness, 1)).toEqual(["The user denied this call. It was not run. Reason: use make"]);
    expect(allCalls(session)).toMatchObject([{ state: "denied", facts: { code: "denied" } }]);
    expect(existsSync(join(harness.root, "a"))).toBe(false);
    expectValidLog(harness, session);
  });

  test("always stores a rule of the edited words, which answers the next time", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      callAnswer(["bash", { command: "touch a b" }]),
      textAnswer("1."),
      callAnswer(["bash", { command: "touch a c" }]),
      textAnswer("2."),
    );
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    const rule = { tool: "bash", words: ["touch", "a"], rest: true } as const;
    session.answer(card?.approvalId ?? asId<ApprovalId>(""), { option: "always", rule }, testTab);
    await done;
    expect(harness.store.rules.list(session.view.projectId)).toMatchObject([{ words: ["touch", "a"], rest: true }]);
    expect(await promptAndWait(session, "again")).toBe("done");
    expect(existsSync(join(harness.root, "c"))).toBe(true);
    expect(eventTypes(harness, session).filter((type) => type === "approval_request")).toHaveLength(1);
    expectValidLog(harness, session);
  });

  test("Accept edits changes the mode: the next write runs without approval, the pending card stays", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      callAnswer(["write", { path: "a.txt", content: "a" }], ["write", { path: "b.txt", content: "b" }]),
      callAnswer(["write", { path: "c.txt", content: "c" }]),
      textAnswer("Done."),
    );
    const done = promptAndWait(session, "go");
    const [first, second] = await waitForCards(session, 2);
    session.answer(first?.approvalId ?? asId<ApprovalId>(""), { option: "edits" }, testTab);
    await waitForView(session, (view) => Object.keys(view.openCalls).length === 1);
    expect(session.view.mode).toBe("edits");
    expect(existsSync(join(harness.root, "b.txt"))).toBe(false);
    session.answer(second?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, testTab);
    expect(await done).toBe("done");
    expect(["a", "b", "c"].map((name) => readProjectFile(harness, `${name}.txt`))).toEqual(["a", "b", "c"]);
    expectValidLog(harness, session);
  });

  test("a file that changed between the card and the yes is shown again before it is written", async () => {
    const harness = await makeTestHarness();
    writeFileSync(join(harness.root, "a.txt"), "one\ntwo\n");
    const session = harness.session();
    harness.script(callAnswer(["edit", { path: "a.txt", old_string: "one", new_string: "1" }]), textAnswer("Done."));
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    writeFileSync(join(harness.root, "a.txt"), "one\nthree\n");
    session.answer(card?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, testTab);
    const [renewed] = await waitForCards(session);
    expect(renewed?.approvalId).not.toBe(card?.approvalId);
    expect(readProjectFile(harness, "a.txt")).toBe("one\nthree\n");
    session.answer(renewed?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, testTab);
    expect(await done).toBe("done");
    expect(readProjectFile(harness, "a.txt")).toBe("1\nthree\n");
    expectValidLog(harness, session);
  });

  test("plan mode refuses a write with an instruction for the model, without a card", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("plan");
    harness.script(callAnswer(["write", { path: "a.txt", content: "a" }]), textAnswer("A plan."));
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(results(harness, 1)[0]).toContain("plan mode");
    expect(existsSync(join(harness.root, "a.txt"))).toBe(false);
    expect(eventTypes(harness, session)).not.toContain("approval_request");
    expect(allCalls(session)).toMatchObject([{ state: "error", facts: { code: "plan_mode" } }]);
    expectValidLog(harness, session);
  });

  test("the end of a refused command names the blocked word and its part", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("ask");
    harness.script(callAnswer(["bash", { command: "ls && rm -rf build" }]), textAnswer("I see."));
    expect(await promptAndWait(session, "go")).toBe("done");
    const facts = { code: "blocked", rule: "blocked_word", refusedBy: "rm", refusedPart: "rm -rf build" };
    expect(allCalls(session)).toMatchObject([{ state: "error", facts }]);
    expectValidLog(harness, session);
  });

  test("a command refused by name has the folder in which the user would run it", async () => {
    const harness = await makeTestHarness();
    mkdirSync(join(harness.root, "sub"));
    const session = harness.session("full");
    harness.script(
      callAnswer(["bash", { command: "cd sub && touch a" }]),
      callAnswer(["bash", { command: "rm a" }]),
      textAnswer("I see."),
    );
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(allCalls(session)[1]).toMatchObject({
      facts: { rule: "blocked_word", startFolder: join(harness.root, "sub") },
    });
    expect(results(harness, 2).at(-1)).toContain('Refused: "rm" is blocked');
  });

  test("an unusable path is reported in a sentence, never as a code", async () => {
    const harness = await makeTestHarness();
    symlinkSync("gone", join(harness.root, "dead"));
    const session = harness.session("full");
    harness.script(
      callAnswer(["read", { path: "dead" }], ["delete", { path: "." }], ["write", { path: "a\0b", content: "x" }]),
      textAnswer("I see."),
    );
    expect(await promptAndWait(session, "go")).toBe("done");
    const [dead, project, nul] = results(harness, 1);
    expect(dead).toBe("dead is a link that leads to nothing or in a circle.");
    expect(project).toBe("Refused: . names no file of the project. Name a file or folder in it.");
    expect(nul).toContain("names no file of the project");
    expectValidLog(harness, session);
  });
});

describe("a command that reads", () => {
  /** Requests permission for a reader, and reports the limit of its shell. */
  const probe: Tool = {
    name: "probe",
    kind: "shell",
    description: () => "",
    parameters: {},
    limits: () => ({ bytes: 1_000, keep: "head" }),
    parse: (input) => ({ ok: true, input, repaired: false }),
    target: () => "ls",
    access: () => [{ kind: "exec", target: "ls" }],
    locks: () => ({ paths: [], shell: true }),
    create: ({ shell }) => ({
      async run(_input, _call, signal) {
        let text = "";
        await shell.run("ulimit -f", { timeoutMs: 10_000, onOutput: (part) => void (text += part) }, signal);
        return { output: [{ type: "text", text: text.trim() }], facts: {} };
      },
    }),
  };

  test("has limits unasked, and none after the user approved it for a gate", async () => {
    const verdicts: GateVerdict[] = [{ kind: "pass" }, { kind: "ask", note: { gate: "g", reason: "" } }];
    const harness = await makeTestHarness({
      tools: [probe],
      askGates: () => Promise.resolve(verdicts.shift() ?? { kind: "pass" }),
    });
    const session = harness.session();
    harness.script(callAnswer(["probe", {}], ["probe", {}]), textAnswer("Done."));
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    session.answer(card?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, testTab);
    expect(await done).toBe("done");
    expect(results(harness, 1)).toEqual([expect.stringMatching(/^\d+$/), "unlimited"]);
  });
});

describe("calls of one answer", () => {
  const gated = (name: string, gates: readonly Gate[], order: string[], lock?: string): Tool => {
    let next = 0;
    return {
      name,
      kind: "other",
      description: () => "",
      parameters: {},
      limits: () => ({ bytes: 1_000, keep: "head" }),
      parse: (input) => ({ ok: true, input, repaired: false }),
      target: () => "",
      access: () => [],
      locks: () => ({ paths: lock === undefined ? [] : [lock], shell: false }),
      create: () => ({
        async run(_input, _call, signal) {
          const number = next;
          next += 1;
          order.push(`begin ${number}`);
          await gates[number]?.pass(signal);
          signal.throwIfAborted();
          order.push(`end ${number}`);
          return { output: [{ type: "text", text: `result ${number}` }], facts: {} };
        },
      }),
    };
  };

  test("run concurrently, and their results reach the model in the order of the calls", async () => {
    const gates = [makeGate(), makeGate(), makeGate()];
    const order: string[] = [];
    const harness = await makeTestHarness({ tools: [gated("slow", gates, order)] });
    const session = harness.session();
    harness.script(callAnswer(["slow", {}], ["slow", {}], ["slow", {}]), textAnswer("Done."));
    const done = promptAndWait(session, "go");
    await Promise.all(gates.map((gate) => gate.reached));
    for (const [index, gate] of gates.toReversed().entries()) {
      gate.open();
      await waitForView(session, (view) => Object.keys(view.openCalls).length === 2 - index);
    }
    expect(await done).toBe("done");
    expect(order).toEqual(["begin 0", "begin 1", "begin 2", "end 2", "end 1", "end 0"]);
    expect(results(harness, 1)).toEqual(["result 0", "result 1", "result 2"]);
    expectValidLog(harness, session);
  });

  test("on one path run one after another in their order, under any spelling", async () => {
    const gates = [makeGate(), makeGate()];
    const order: string[] = [];
    const harness = await makeTestHarness({
      tools: [gated("slow", gates, order, "./x/../a.txt"), gated("late", [], order, "a.txt")],
    });
    const session = harness.session();
    harness.script(callAnswer(["slow", {}], ["late", {}]), textAnswer("Done."));
    const done = promptAndWait(session, "go");
    await gates[0]?.reached;
    expect(order).toEqual(["begin 0"]);
    gates[0]?.open();
    await done;
    expect(order).toEqual(["begin 0", "end 0", "begin 0", "end 0"]);
  });

  test("of bash run one after another in one shell", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(
      callAnswer(
        ["bash", { command: "mkdir sub && cd sub && export SEEN=yes" }],
        ["bash", { command: "pwd; echo $SEEN" }],
      ),
      textAnswer("Done."),
    );
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(results(harness, 1)[1]).toContain(`${harness.root}/sub\nyes\n`);
    expectValidLog(harness, session);
  });

  test("that are invalid are answered, not run: unknown tool, wrong arguments, no JSON", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(
      callAnswer(["codebase_search", { query: "a" }], ["read", {}], ["read", "{path: "], ["nonsense", null]),
      textAnswer("Ok."),
    );
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(results(harness, 1)[0]).toContain("Use grep.");
    expect(results(harness, 1)[1]).toContain('read needs "path"');
    expect(results(harness, 1)[2]).toContain("read");
    expect(allCalls(session).map((call) => [call.state, call.facts.code])).toEqual([
      ["error", "unknown_tool"],
      ["error", "bad_input"],
      ["error", "bad_input"],
      ["error", "unknown_tool"],
    ]);
    expectValidLog(harness, session);
  });

  test("of a tool that no source offers any more fail with a code; the run continues", async () => {
    const schema = { name: "weather", description: "Weather of a place.", parameters: { type: "object" } };
    const harness = await makeTestHarness({ prompt: { system: "You are a coding agent.", tools: [schema] } });
    const session = harness.session("full");
    harness.script(
      callAnswer(["weather", { place: "Bern" }], ["functions.Weather", {}], ["ls", {}]),
      textAnswer("Ok."),
    );
    expect(await promptAndWait(session, "go")).toBe("done");
    const missing =
      'The tool "weather" is not available any more. Do not call it again; use another tool, or tell the user.';
    expect(results(harness, 1)).toEqual([missing, missing, 'There is no tool "ls". The tools are: weather.']);
    expect(allCalls(session).map((call) => [call.kind, call.target, call.facts.code])).toEqual([
      ["other", "weather", "tool_missing"],
      ["other", "weather", "tool_missing"],
      ["other", "ls", "unknown_tool"],
    ]);
    expectValidLog(harness, session);
  });

  test("a tool that throws gives a failed call with its message; the run and the other calls continue", async () => {
    const broken: Tool = {
      ...gated("broken", [], []),
      create: () => ({ run: () => Promise.reject(new Error("nobody thought of this")) }),
    };
    const harness = await makeTestHarness({ tools: [broken] });
    const session = harness.session();
    harness.script(callAnswer(["broken", {}], ["ls", {}]), textAnswer("Ok."));
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(results(harness, 1)[0]).toBe("The tool failed: nobody thought of this");
    expect(allCalls(session).map((call) => call.state)).toEqual(["error", "ok"]);
    expectValidLog(harness, session);
  });

  test.each([4_096, 8_192, 16_384, 32_768])(
    "200 at once fit a window of %i: some run, all are answered",
    async (numCtx) => {
      const harness = await makeTestHarness({ numCtx: 1_000_000 });
      const session = harness.session();
      const text = "Zürich 苏黎世 0x1f; ".repeat(200);
      writeFileSync(join(harness.root, "a.txt"), text);
      const small = await makeTestHarness({ numCtx });
      writeFileSync(join(small.root, "a.txt"), text);
      const other = small.session();
      for (const [one, owner] of [
        [session, harness],
        [other, small],
      ] as const) {
        owner.script(
          callAnswer(...Array.from({ length: 200 }, () => ["read", { path: "a.txt" }] as const)),
          textAnswer("Ok."),
        );
        await promptAndWait(one, "go");
        expect(allCalls(one)).toHaveLength(200);
        expect(allCalls(one).filter((call) => call.state === "ok")).toHaveLength(callsPerMessage);
        expect(allCalls(one).filter((call) => call.facts.code === "too_many")).toHaveLength(200 - callsPerMessage);
        expectValidLog(owner, one);
      }
      const tokens = allCalls(other).map((call) => estimateTokens(joinTextBlocks(call.output ?? [])));
      expect(tokens.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(numCtx / 4);
    },
  );
});

describe("results fit the window", () => {
  const dense = `${"plain words here ".repeat(50)}\n`.repeat(20) + "🙂嗨0x".repeat(4_000);

  test.each([4_096, 8_192, 16_384, 32_768])(
    "of %i tokens: each within an eighth, all of one answer within a quarter",
    async (numCtx) => {
      const harness = await makeTestHarness({ numCtx });
      writeFileSync(join(harness.root, "a.txt"), dense);
      const session = harness.session("full");
      const loud = ["bash", { command: "head -c 60000 /dev/zero | tr '\\0' '+'; cat a.txt" }] as const;
      harness.script(
        callAnswer(["read", { path: "a.txt" }], loud, ["read", { path: "a.txt" }], loud),
        textAnswer("Ok."),
      );
      await promptAndWait(session, "go");
      const tokens = allCalls(session).map((call) => estimateTokens(joinTextBlocks(call.output ?? [])));
      expect(tokens).toHaveLength(4);
      for (const one of tokens) expect(one).toBeLessThanOrEqual(numCtx / 8);
      expect(tokens.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(numCtx / 4);
      for (const call of allCalls(session)) expect(call.cut?.blob).toBeDefined();
    },
  );

  test("a truncated read reports its lines and the next offset; reading on misses nothing", async () => {
    const harness = await makeTestHarness({ numCtx: 4_096 });
    const lines = Array.from(
      { length: 121 },
      (_, index) => `export const value${index + 1} = compute(${index * 7}); // note`,
    );
    writeFileSync(join(harness.root, "mod4.js"), `${lines.join("\n")}\n`);
    const session = harness.session("full");
    const readLines: string[] = [];
    for (let offset = 1; offset <= lines.length; offset = readLines.length + 1) {
      harness.script(callAnswer(["read", { path: "mod4.js", offset }]), textAnswer("Ok."));
      await promptAndWait(session, "go on");
      const call = allCalls(session).at(-1);
      const resultText = joinTextBlocks(call?.output ?? []).split("\n");
      const numbered = resultText.filter((line) => /^\d+\t/.test(line));
      readLines.push(...numbered.map((line) => line.replace(/^\d+\t/, "")));
      expect(call?.facts).toMatchObject({ fromLine: offset, toLine: readLines.length, totalLines: lines.length });
      if (readLines.length < lines.length) {
        expect(resultText).toHaveLength(numbered.length + 1);
        expect(resultText.at(-1)).toMatch(/^\[cut here: /);
        expect(resultText.at(-1)).toContain(`; the rest: read with offset ${readLines.length + 1}]`);
      }
    }
    expect(readLines).toEqual(lines);
  });

  test("500 lines are read where the window allows it; otherwise the result reports the cut", async () => {
    const lines = Array.from({ length: 500 }, (_, line) => `${line + 1} ${"word ".repeat(40)}`);
    for (const [numCtx, isWhole] of [
      [1_048_576, true],
      [16_384, false],
    ] as const) {
      const harness = await makeTestHarness({ numCtx });
      writeFileSync(join(harness.root, "long.txt"), lines.join("\n"));
      const session = harness.session("full");
      harness.script(callAnswer(["read", { path: "long.txt", offset: 1, limit: 500 }]), textAnswer("Ok."));
      await promptAndWait(session, "go");
      const [call] = allCalls(session);
      const resultText = joinTextBlocks(call?.output ?? []);
      expect(call?.facts.toLine === 500).toBe(isWhole);
      expect(resultText.includes("the window has no room; the rest: read with offset")).toBe(!isWhole);
    }
  });

  test("a first line that is too long is reported as cut, with the offset of the next line", async () => {
    const harness = await makeTestHarness({ numCtx: 4_096 });
    writeFileSync(join(harness.root, "wide.js"), `${"0x1f;".repeat(399)}\nshort\n`);
    const session = harness.session("full");
    harness.script(callAnswer(["read", { path: "wide.js" }]), textAnswer("Ok."));
    await promptAndWait(session, "go");
    const [call] = allCalls(session);
    expect(call?.facts).toMatchObject({ fromLine: 1, toLine: 1, totalLines: 2 });
    expect(joinTextBlocks(call?.output ?? [])).toMatch(/line 1 is cut; read on with offset 2\]$/);
  });

  test("also the output of a stopped command", async () => {
    const harness = await makeTestHarness({ numCtx: 4_096 });
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "seq 1 9000; sleep 60" }]));
    const done = promptAndWait(session, "go");
    await waitForView(session, () => allCalls(session).some((call) => call.live?.tail.includes("9000") === true));
    await session.abort();
    await done;
    const [call] = allCalls(session);
    expect(estimateTokens(joinTextBlocks(call?.output ?? []))).toBeLessThanOrEqual(512);
    expect(joinTextBlocks(call?.output ?? [])).toContain("stopped by the user");
  });
});

describe("a changed mode", () => {
  test("applies from the next decision of the same run", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    const gate = makeGate();
    harness.script(
      callAnswer(["bash", { command: "touch a" }]),
      [gate, ...callAnswer(["bash", { command: "touch b" }])],
      textAnswer("Ok."),
    );
    const done = promptAndWait(session, "go");
    await gate.reached;
    expect(existsSync(join(harness.root, "a"))).toBe(true);
    session.update({ mode: "plan" }, testCommandId());
    gate.open();
    expect(await done).toBe("done");
    expect(existsSync(join(harness.root, "b"))).toBe(false);
    expect(allCalls(session).map((call) => call.state)).toEqual(["ok", "error"]);
  });
});

test("the model reads that arguments arrived empty, only for a call whose server passed them on", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  const asText = { type: "text", text: '<tool_call>{"name": "read", "arguments": {}}</tool_call>' } as const;
  harness.script(callAnswer(["ls", {}], ["read", {}]), [asText, ...textAnswer("")], textAnswer("Done."));
  await promptAndWait(session, "go");
  const [listed, native, text] = results(harness, 2);
  expect(listed).not.toContain("arrived empty");
  expect(native).toMatch(/^The arguments arrived empty\. .*path/s);
  expect(text).not.toContain("arrived empty");
  expectValidLog(harness, session);
});

test("arguments that arrive empty for the second time are reported once in a session, and not for calls in the text", async () => {
  const reported = (current: Session) =>
    pathEntries(current.view).flatMap((entry) => (entry.kind === "error" ? [{ ...entry.error }] : []));
  const harness = await makeTestHarness();
  const session = harness.session();
  const written = '<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>';
  harness.script(callAnswer(["ls", {}], ["read", {}]), textAnswer(written), textAnswer("No."));
  await promptAndWait(session, "first");
  expect(reported(session)).toEqual([]);
  harness.script(callAnswer(["read", {}]), callAnswer(["read", {}]), textAnswer("No."));
  await promptAndWait(session, "second");
  expect(reported(session)).toEqual([{ code: "lost_arguments", facts: { model: "scripted" } }]);
  expectValidLog(harness, session);
});
