/** Sessions whose toolbox leads to tools of another program: resolution, approval, cards, the catalogue in the context. */
import { neverAborted } from "@/server/base/abort";
import { describe, expect, test } from "vitest";
import { type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import type { Mode } from "@/lib/permissions/policy";
import type { ModelRequest } from "@/server/providers/provider";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import {
  callAnswer,
  makeTestHarness,
  promptAndWait,
  storedRows,
  testCommandId,
  type TestHarness,
  type TestHarnessOptions,
  testTab,
  textAnswer,
  waitForCards,
  waitForView,
} from "../testing/test-harness";
import type { Obstacle } from "@/server/tools/toolbox/catalogue";
import { makeTestSource } from "./test-external-source";

/** So many tools that their schemas do not fit the share: they are reached through the toolbox. */
const manyNames = Array.from({ length: 40 }, (_, index) => `tool_${index}`);

async function makeRig(mode: Mode = "ask", options: TestHarnessOptions = {}) {
  const github = makeTestSource("github", ["create_issue", ...manyNames]);
  const harness = await makeTestHarness({ catalogueSources: () => [github.source], ...options });
  return { github, harness, session: harness.session(mode) };
}

const callsOf = (view: SessionView): readonly MessageEntry["calls"][number][] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));

/** Starts a prompt, answers its card, waits for the end. */
async function approve(session: Session, text: string, option: "once" | "always" | "deny" = "once"): Promise<void> {
  const sent = session.send(text, "prompt", testCommandId());
  if (!sent.ok) throw new Error(sent.error.code);
  const [card] = await waitForCards(session);
  if (card === undefined) throw new Error("no card");
  session.answer(card.approvalId, { option }, testTab);
  await sent.value.done;
}

const createIssue = callAnswer(["toolbox", { tool: "github__create_issue", input: { title: "A bug" } }]);
const wire = (request: ModelRequest): string => JSON.stringify([request.tools, request.messages]).slice(0, -2);

function expectPrefixes({ requests }: TestHarness): void {
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1];
    if (before !== undefined) expect(wire(request).startsWith(wire(before))).toBe(true);
  }
}

test("the catalogue is named in the composition of the next request", async () => {
  const { github, harness, session } = await makeRig();
  github.offer(Array.from({ length: 60 }, (_, at) => `tool_${at}`));
  harness.script(textAnswer("Done."));
  await promptAndWait(session, "go");
  const report = await session.context(neverAborted);
  if (!report.ok) throw new Error(report.error.code);
  const { parts, pieces } = report.value;
  expect(parts.find(({ part }) => part === "toolbox")?.tokens).toBeGreaterThan(10);
  expect(pieces.find(({ kind }) => kind === "toolbox")?.text).toContain("github 60");
});

describe("a call through the toolbox", () => {
  test("is a call of the inner tool: card, name, target, result", async () => {
    const { github, harness, session } = await makeRig();
    harness.script(createIssue, textAnswer("Done."));
    const sent = session.send("file it", "prompt", testCommandId());
    const [card] = await waitForCards(session);
    expect(card).toMatchObject({
      options: ["once", "always", "deny"],
      rule: { tool: "external", pattern: "github/create_issue" },
      preview: {
        kind: "external",
        source: "github",
        tool: "create_issue",
        input: { title: "A bug" },
        description: "Creates an issue in a repository.",
        signature: "create_issue(title, labels?: [text])",
        why: "first_use",
      },
    });
    if (!sent.ok || card === undefined) throw new Error("not sent");
    session.answer(card.approvalId, { option: "once" }, testTab);
    expect(await sent.value.done).toBe("done");
    expect(callsOf(session.view)).toMatchObject([{ name: "github__create_issue", target: "A bug", state: "ok" }]);
    expect(github.calls).toEqual([{ title: "A bug" }]);
    // The model gets its own call back, and the result under the name it called.
    expect(harness.requests[1]?.messages.slice(-2)).toMatchObject([
      { calls: [{ name: "toolbox", input: { tool: "github__create_issue", input: { title: "A bug" } } }] },
      { role: "tool", name: "toolbox", text: 'created {"title":"A bug"}' },
    ]);
    expectPrefixes(harness);
    expect(auditLog(storedRows(harness, session.id))).toEqual([]);
  });

  test("asks the first time in Full access too, then runs there, and asks again after its definition changed", async () => {
    const { github, harness, session } = await makeRig("full");
    harness.script(createIssue, textAnswer("Done."));
    await approve(session, "one");
    harness.script(createIssue, textAnswer("Done."));
    expect(await promptAndWait(session, "two")).toBe("done");
    expect(github.calls).toHaveLength(2);
    github.define("v2");
    harness.script(createIssue, textAnswer("Done."));
    await approve(session, "three");
    const approvals = callsOf(session.view).map((call) => call.approvals.map(({ preview }) => preview));
    expect(approvals).toMatchObject([[{ why: "first_use" }], [], [{ why: "changed_definition" }]]);
    expectPrefixes(harness);
  });

  test("asks again in Ask mode, until it is always allowed; the rule holds in the next session", async () => {
    const { github, harness, session } = await makeRig();
    harness.script(createIssue, textAnswer("Done."));
    await approve(session, "one");
    harness.script(createIssue, textAnswer("Done."));
    await approve(session, "two", "always");
    const next = harness.session();
    harness.script(createIssue, textAnswer("Done."));
    expect(await promptAndWait(next, "three")).toBe("done");
    expect(github.calls).toHaveLength(3);
  });

  test("is refused in Plan mode, and a denied one does not count as approved", async () => {
    const { github, harness, session } = await makeRig("full");
    harness.script(createIssue, textAnswer("Denied."));
    await approve(session, "one", "deny");
    harness.script(createIssue, textAnswer("Denied."));
    await approve(session, "two", "deny");
    const planning = harness.session("plan");
    harness.script(createIssue, textAnswer("A plan."));
    expect(await promptAndWait(planning, "plan")).toBe("done");
    expect(callsOf(planning.view)).toMatchObject([{ state: "error", facts: { code: "plan_mode" } }]);
    expect(github.calls).toEqual([]);
  });

  test.each<readonly [change: string, code: string, text: string, source?: string, ownName?: string]>([
    ["off", "tool_off", "github__create_issue was not run. github__create_issue is switched off."],
    ["source off", "tool_off", "github__create_issue was not run. github is switched off."],
    // Other agents have a tool `fs_read`.
    ["source off", "tool_off", "fs__read was not run. fs is switched off.", "fs", "read"],
    ["unapproved", "not_approved", "github__create_issue was not run. github waits for the approval of the user."],
    ["gone", "tool_missing", "github__create_issue was not run: it is not offered any more."],
  ])(
    "is not run if that changes while the user is asked, and the reason is said: %s",
    async (change, code, text, source = "github", ownName = "create_issue") => {
      const github = makeTestSource(source, [ownName, ...manyNames]);
      let obstacle: Obstacle | null = null;
      const unlisted = () => [{ id: source, page: "Tools" as const, obstacle, tools: [] }];
      const harness = await makeTestHarness({
        catalogueSources: () => [{ ...github.source, tools: github.source.tools, unlisted }],
      });
      const session = harness.session();
      harness.script(
        callAnswer(["toolbox", { tool: `${source}__${ownName}`, input: { title: "A bug" } }]),
        textAnswer("Done."),
      );
      const sent = session.send("one", "prompt", testCommandId());
      const [card] = await waitForCards(session);
      if (!sent.ok || card === undefined) throw new Error("not sent");
      if (change === "off") github.change({ obstacle: { kind: "off" } });
      else github.offer([]);
      if (change === "source off") obstacle = { kind: "off" };
      if (change === "unapproved") obstacle = { kind: "unapproved" };
      session.answer(card.approvalId, { option: "once" }, testTab);
      await sent.value.done;
      expect(callsOf(session.view)).toMatchObject([{ state: "error", facts: { code } }]);
      expect(harness.requests.at(-1)?.messages.at(-1)?.text).toContain(text);
      expect(github.calls).toEqual([]);
    },
  );

  test("is not run if its definition changes while the user is asked", async () => {
    const { github, harness, session } = await makeRig("full");
    harness.script(createIssue, textAnswer("Again?"));
    const sent = session.send("one", "prompt", testCommandId());
    const [card] = await waitForCards(session);
    if (!sent.ok || card === undefined) throw new Error("not sent");
    github.define("v2");
    session.answer(card.approvalId, { option: "once" }, testTab);
    await sent.value.done;
    expect(callsOf(session.view)).toMatchObject([{ state: "error", facts: { code: "tool_changed" } }]);
    expect(github.calls).toEqual([]);
  });

  test("survives a kill while the user is asked", async () => {
    const { github, harness, session } = await makeRig("ask");
    harness.script(createIssue);
    session.send("one", "prompt", testCommandId());
    await waitForCards(session);
    await harness.restart();
    harness.registry().recoverAll();
    const again = harness.reload(session);
    const [card] = await waitForCards(again);
    harness.script(textAnswer("Done."));
    if (card === undefined) throw new Error("no card");
    again.answer(card.approvalId, { option: "once" }, testTab);
    await waitForView(again, ({ run }) => run === null);
    expect(github.calls).toEqual([{ title: "A bug" }]);
  });
});

test.each([
  ["its own name", "github__create_issue"],
  ["its name with another separator", "github.create_issue"],
] as const)("a call by %s runs as if it had gone through the toolbox", async (_by, name) => {
  const { github, harness, session } = await makeRig();
  harness.script(callAnswer([name, { title: "A bug" }]), textAnswer("Done."));
  await approve(session, "one");
  expect(callsOf(session.view)).toMatchObject([{ name: "github__create_issue", state: "ok" }]);
  expect(github.calls).toEqual([{ title: "A bug" }]);
});

test("a call written as text runs as if it had gone through the toolbox", async () => {
  const { github, harness, session } = await makeRig();
  harness.script(
    textAnswer('<tool_call>{"name": "github__create_issue", "arguments": {"title": "A bug"}}</tool_call>'),
    textAnswer("Done."),
  );
  await approve(session, "one");
  expect(github.calls).toEqual([{ title: "A bug" }]);
});

test("a built-in tool with the arguments of a tool that has its name in it is answered with the right call", async () => {
  const github = makeTestSource("github", ["read_issue", ...manyNames]);
  const harness = await makeTestHarness({ catalogueSources: () => [github.source] });
  const session = harness.session();
  harness.script(callAnswer(["read", { title: "A bug" }]), textAnswer("Done."));
  await promptAndWait(session, "one");
  expect(JSON.stringify(harness.requests[1]?.messages.at(-1))).toContain(
    JSON.stringify('toolbox {"tool":"github__read_issue","input":{"title":"A bug"}}').slice(1, -1),
  );
});

describe("the catalogue", () => {
  const catalogues = ({ requests }: TestHarness): number =>
    JSON.stringify(requests.at(-1)?.messages ?? []).split("github__create_issue").length - 1;

  test("is in the first message, and is repeated only when it changed", async () => {
    const { github, harness, session } = await makeRig("ask", { numCtx: 32_768 });
    harness.script(textAnswer("One."));
    await promptAndWait(session, "one");
    expect(harness.requests[0]?.messages[1]?.text).toContain("github__create_issue");
    harness.script(textAnswer("Two."));
    await promptAndWait(session, "two");
    expect(catalogues(harness)).toBe(1);
    github.offer([]);
    harness.script(textAnswer("Three."));
    await promptAndWait(session, "three");
    expect(harness.requests.at(-1)?.messages.at(-1)?.text).toContain("The toolbox has no tools now.");
    expectPrefixes(harness);
  });

  test("is not there, and nothing of it can be called, in a session whose prompt has no toolbox", async () => {
    const { github, harness, session } = await makeRig("full", {
      prompt: { system: "You are a coding agent.", tools: [] },
    });
    harness.script(callAnswer(["github__create_issue", { title: "A bug" }]), textAnswer("Done."));
    await promptAndWait(session, "one");
    expect(harness.requests[0]?.messages[1]?.text).not.toContain("github");
    expect(callsOf(session.view)).toMatchObject([{ state: "error", facts: { code: "unknown_tool" } }]);
    expect(github.calls).toEqual([]);
  });

  test("is in the prompt itself if all of it fits the share, from the next session on", async () => {
    const github = makeTestSource("github", ["create_issue"]);
    const harness = await makeTestHarness({ catalogueSources: () => [github.source], numCtx: 16_384 });
    const session = harness.session();
    harness.script(callAnswer(["github__create_issue", { title: "A bug" }]), textAnswer("Done."));
    await approve(session, "one");
    const names = harness.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(names.slice(-2)).toEqual(["github__create_issue", "toolbox"]);
    expect(harness.requests[0]?.messages[1]?.text).not.toContain("github__create_issue");
    expect(github.calls).toEqual([{ title: "A bug" }]);
  });

  test("in the prompt itself, says why a tool that it names cannot be called", async () => {
    const github = makeTestSource("github", ["create_issue"]);
    const harness = await makeTestHarness({ catalogueSources: () => [github.source] });
    const session = harness.session("full");
    harness.script(textAnswer("Hello."));
    await promptAndWait(session, "hello");
    github.change({ obstacle: { kind: "off" } });
    const direct = callAnswer(["github__create_issue", { title: "A bug" }]);
    harness.script(direct, textAnswer("Done."));
    await promptAndWait(session, "one");
    expect(callsOf(session.view)).toMatchObject([{ state: "error", facts: { code: "tool_off" } }]);
    expect(harness.requests.at(-1)?.messages.at(-1)?.text).toBe(
      "github__create_issue is switched off. Do not call it again; the user can switch it on in Settings > Tools.",
    );
    github.offer([]);
    harness.script(direct, textAnswer("Done."));
    await promptAndWait(session, "two");
    expect(harness.requests.at(-1)?.messages.at(-1)?.text).toContain("is not available any more");
    expect(github.calls).toEqual([]);
  });

  test.each([
    ["parameters", { parameters: { type: "object", properties: { words: { type: "string" } }, required: ["words"] } }],
    ["description", { description: "Files a report." }],
  ])("gives a tool of the prompt again once it has other %s", async (_name, parts) => {
    const github = makeTestSource("github", ["create_issue"]);
    const harness = await makeTestHarness({ catalogueSources: () => [github.source] });
    const session = harness.session();
    harness.script(textAnswer("One."), textAnswer("Two."), textAnswer("Three."), textAnswer("Four."));
    await promptAndWait(session, "one");
    github.define("v2");
    await promptAndWait(session, "two");
    expect(catalogues(harness)).toBe(0);
    github.change(parts);
    await promptAndWait(session, "three");
    await promptAndWait(session, "four");
    expect(catalogues(harness)).toBe(1);
    expect(harness.requests.at(-1)?.messages.find(({ text }) => text.includes('about="toolbox"'))?.text).toContain(
      "parameters" in parts ? "- github__create_issue(words): " : ": Files a report",
    );
    expectPrefixes(harness);
  });
});
