import { describe, expect, test } from "vitest";
import { asId, type ProjectId, type RuleId, type SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { openTestStore } from "../__fixtures__/home";
import { createDecisions, type NewDecision, decisionsBatch } from "./decisions";
import { openRelaxed } from "../core/open-database";

const decision = (target: string, more: Partial<NewDecision> = {}): NewDecision => ({
  at: 5,
  projectId: asId<ProjectId>("p"),
  sessionId: asId<SessionId>("s"),
  tool: "bash",
  target,
  kind: "allow",
  reason: "reads",
  mode: "ask",
  ...more,
});

const targets = (list: { readonly decisions: readonly { readonly target: string }[] }): string[] =>
  list.decisions.map(({ target }) => target);

describe("the log of decisions", () => {
  test("lists them newest first, in pages without gaps or duplicates", () => {
    const { decisions } = openTestStore();
    for (let index = 0; index < 5; index += 1) decisions.add(decision(`c${index}`));
    const first = decisions.list({ limit: 2 });
    expect([targets(first), first.more]).toEqual([["c4", "c3"], true]);
    const second = decisions.list({ limit: 2, before: first.decisions.at(-1)?.id });
    expect([targets(second), second.more]).toEqual([["c2", "c1"], true]);
    const last = decisions.list({ limit: 2, before: second.decisions.at(-1)?.id });
    expect([targets(last), last.more]).toEqual([["c0"], false]);
  });

  test("stores every field and omits absent ones", () => {
    const { decisions } = openTestStore();
    const whole = decision("git push", {
      kind: "refuse",
      reason: "rule_denies",
      mode: "full",
      rule: asId<RuleId>("r1"),
      detail: "git push *",
    });
    const answer = decision("make", { reason: "answer", origin: { kind: "cli" } });
    for (const one of [whole, answer, decision("ls")]) decisions.add(one);
    const stored = decisions.list({ limit: 9 }).decisions.map(({ id: _id, ...rest }) => rest);
    expect(stored).toEqual([decision("ls"), answer, whole]);
  });

  test("filters by project, session and kind", () => {
    const { decisions } = openTestStore();
    decisions.add(decision("a"));
    decisions.add(decision("b", { projectId: asId<ProjectId>("q"), kind: "refuse" }));
    decisions.add(decision("c", { sessionId: asId<SessionId>("t"), kind: "refuse" }));
    expect(targets(decisions.list({ limit: 9, projectId: asId<ProjectId>("q") }))).toEqual(["b"]);
    expect(targets(decisions.list({ limit: 9, sessionId: asId<SessionId>("t") }))).toEqual(["c"]);
    expect(targets(decisions.list({ limit: 9, kind: "refuse" }))).toEqual(["c", "b"]);
    expect(targets(decisions.list({ limit: 9, kind: "allow", projectId: asId<ProjectId>("q") }))).toEqual([]);
  });

  test("keeps the configured number of rows", () => {
    const store = openTestStore();
    const database = openRelaxed(store.path);
    const decisions = createDecisions({ relaxed: () => database, kept: 3 });
    for (let index = 0; index < 10; index += 1) decisions.add(decision(`c${index}`));
    decisions.flush();
    decisions.add(decision("last"));
    expect(targets(decisions.list({ limit: 99 }))).toEqual(["last", "c9", "c8"]);
    database.close();
  });

  test("truncates long targets, never within a surrogate pair", () => {
    const { decisions } = openTestStore();
    decisions.add(decision("🙂".repeat(serverLimits.decisionTargetChars)));
    const [target = ""] = targets(decisions.list({ limit: 1 }));
    expect(target.length).toBeLessThanOrEqual(serverLimits.decisionTargetChars);
    expect(/\p{Surrogate}/u.test(target)).toBe(false);
    expect(target.endsWith("…")).toBe(true);
  });

  test("is written when the store closes", () => {
    const store = openTestStore();
    const { path } = store;
    store.decisions.add(decision("kept"));
    store.close();
    const database = openRelaxed(path);
    expect(targets(createDecisions({ relaxed: () => database }).list({ limit: 9 }))).toEqual(["kept"]);
    database.close();
  });

  test("loses nothing while another process locks the database", () => {
    const store = openTestStore();
    const other = openRelaxed(store.path);
    other.exec("BEGIN IMMEDIATE");
    store.decisions.add(decision("held"));
    store.decisions.flush();
    store.decisions.add(decision("later"));
    other.exec("COMMIT");
    other.close();
    expect(targets(store.decisions.list({ limit: 9 }))).toEqual(["later", "held"]);
  });

  test("never throws when it cannot be written", () => {
    const decisions = createDecisions({
      relaxed: () => {
        throw new Error("disk full");
      },
    });
    for (let index = 0; index <= decisionsBatch; index += 1) decisions.add(decision("x"));
    expect(() => decisions.flush()).not.toThrow();
  });
});
