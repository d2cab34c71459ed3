/**
 * Tests of the guard through a whole session: rules, the log of decisions, results for the model. Real files and bash.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type RuleId } from "@/lib/events/id";
import type { PathPattern, RuleEffect, RulePattern } from "@/lib/permissions/policy";
import {
  promptAndWait,
  callAnswer,
  waitForCards,
  type TestHarness,
  makeTestHarness,
  textAnswer,
  testTab,
} from "../testing/test-harness";
import type { Session } from "../core/session-types";

const results = (harness: TestHarness, request: number): readonly string[] =>
  (harness.requests[request]?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));

const addRule = (
  harness: TestHarness,
  session: Session,
  effect: RuleEffect,
  pattern: RulePattern | PathPattern,
): RuleId =>
  harness.store.rules.add({
    id: asId<RuleId>(`rule_${effect}`),
    projectId: session.view.projectId,
    effect,
    createdAt: 1,
    ...pattern,
  }).id;

const logged = (harness: TestHarness) =>
  harness.store.decisions
    .list({ limit: 20 })
    .decisions.map(({ tool, target, kind, reason, mode, detail }) => [tool, target, kind, reason, mode, detail])
    .toReversed();

describe("rules", () => {
  test("that deny are reported to the model with an alternative, and nothing runs, in Full access too", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    addRule(harness, session, "deny", { tool: "bash", words: ["touch"], rest: true });
    harness.script(callAnswer(["bash", { command: "env touch made" }]), textAnswer("Well."));
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(existsSync(join(harness.root, "made"))).toBe(false);
    expect(results(harness, 1)[0]).toMatch(/^Refused: a rule of this project denies touch \*\./);
    expect(logged(harness)).toEqual([["bash", "env touch made", "refuse", "rule_denies", "full", "touch *"]]);
  });

  test("that ask create a card in Full access, and its answer is in the log with its origin and reason", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    addRule(harness, session, "ask", { tool: "files", access: "write", glob: "*.lock" });
    harness.script(
      callAnswer(["write", { path: "a.lock", content: "x" }]),
      callAnswer(["write", { path: "b", content: "x" }]),
      callAnswer(["write", { path: "c.lock", content: "x" }]),
      textAnswer("Done."),
    );
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    expect(card?.options).toEqual(["once", "deny"]);
    expect(existsSync(join(harness.root, "a.lock"))).toBe(false);
    if (card !== undefined) session.answer(card.approvalId, { option: "once", origin: { kind: "cli" } }, testTab);
    const [other] = await waitForCards(session);
    if (other !== undefined) session.answer(other.approvalId, { option: "deny", reason: " not now " }, testTab);
    expect(await done).toBe("done");
    expect(existsSync(join(harness.root, "a.lock"))).toBe(true);
    expect(logged(harness)).toEqual([
      ["write", "a.lock", "allow", "answer", "full", undefined],
      ["write", "b", "allow", "mode", "full", undefined],
      ["write", "c.lock", "refuse", "answer", "full", "not now"],
    ]);
    expect(harness.store.decisions.list({ limit: 9 }).decisions.map(({ origin }) => origin?.kind)).toEqual([
      undefined,
      undefined,
      "cli",
    ]);
  });

  test("that allow permit a write in Ask mode, never in Plan", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("ask");
    const rule = addRule(harness, session, "allow", { tool: "files", access: "write", glob: "docs/**" });
    harness.script(callAnswer(["write", { path: "docs/a.md", content: "x" }]), textAnswer("Done."));
    expect(await promptAndWait(session, "go")).toBe("done");
    expect(existsSync(join(harness.root, "docs/a.md"))).toBe(true);
    expect(harness.store.decisions.list({ limit: 1 }).decisions).toMatchObject([{ reason: "rule", rule }]);
    const planning = harness.session("plan");
    harness.script(callAnswer(["write", { path: "docs/b.md", content: "x" }]), textAnswer("Done."));
    expect(await promptAndWait(planning, "go")).toBe("done");
    expect(existsSync(join(harness.root, "docs/b.md"))).toBe(false);
  });
});

test("a rule that denies reading removes a folder from every list and search", async () => {
  const harness = await makeTestHarness();
  mkdirSync(join(harness.root, "secret"));
  writeFileSync(join(harness.root, "secret/a.txt"), "needle");
  writeFileSync(join(harness.root, "b.txt"), "needle");
  const session = harness.session("full");
  addRule(harness, session, "deny", { tool: "files", access: "read", glob: "secret/**" });
  harness.script(
    callAnswer(
      ["grep", { pattern: "needle" }],
      ["find", { pattern: "*.txt" }],
      ["ls", { path: "." }],
      ["read", { path: "secret/a.txt" }],
    ),
    textAnswer("Done."),
  );
  expect(await promptAndWait(session, "go")).toBe("done");
  const [grep = "", find = "", ls = "", read = ""] = results(harness, 1);
  for (const text of [grep, find, ls]) {
    expect(text).toContain("b.txt");
    expect(text).not.toContain("secret");
  }
  expect(read).toContain("a rule of this project denies secret/**");
});

describe("decisions without a card", () => {
  test("are logged with their reason", async () => {
    const harness = await makeTestHarness();
    writeFileSync(join(harness.root, "a.txt"), "text");
    writeFileSync(join(harness.root, ".env"), "secret");
    const session = harness.session("plan");
    harness.script(
      callAnswer(
        ["read", { path: "a.txt" }],
        ["read", { path: ".env" }],
        ["read", { path: "../x" }],
        ["bash", { command: "ls" }],
        ["bash", { command: "rm a.txt" }],
        ["bash", { command: "make" }],
      ),
      textAnswer("Done."),
    );
    expect(await promptAndWait(session, "go")).toBe("done");
    const byTarget = logged(harness).sort((a, b) => String(a[1]).localeCompare(String(b[1])));
    expect(byTarget).toEqual(
      [
        ["read", "a.txt", "allow", "reads", "plan", undefined],
        ["read", ".env", "refuse", "protected", "plan", undefined],
        ["read", "../x", "refuse", "outside", "plan", ".."],
        ["bash", "ls", "allow", "reads", "plan", undefined],
        ["bash", "rm a.txt", "refuse", "blocked_word", "plan", "rm"],
        ["bash", "make", "refuse", "plan_mode", "plan", undefined],
      ].sort((a, b) => String(a[1]).localeCompare(String(b[1]))),
    );
  });
});

test("catastrophic backtracking, a huge file and a binary file all end", async () => {
  const harness = await makeTestHarness();
  mkdirSync(join(harness.root, "src"));
  writeFileSync(join(harness.root, "src/a.txt"), `${"a".repeat(200_000)}!\n`);
  writeFileSync(join(harness.root, "huge.txt"), "x".repeat(30_000_000));
  writeFileSync(join(harness.root, "binary"), Buffer.from([0, 1, 2, 0xff, 0xfe, 0]));
  const session = harness.session("plan");
  harness.script(
    callAnswer(
      ["grep", { pattern: "(a+)+$", path: "src" }],
      ["read", { path: "huge.txt" }],
      ["read", { path: "binary" }],
    ),
    textAnswer("Done."),
  );
  expect(await promptAndWait(session, "go")).toBe("done");
  expect(results(harness, 1)).toHaveLength(3);
  expect(results(harness, 1).join("").length).toBeLessThan(30_000);
});
