import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type ClientId, type ProjectId, type RuleId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import {
  callAnswer,
  waitForCards,
  testCommandId,
  makeGate,
  makeTestHarness,
} from "@/server/session/testing/test-harness";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import type { CommandClient } from "../handlers";
import { guardHandlers, rulesMax } from "./guard-handlers";

const client: CommandClient = { id: asId<ClientId>("tab"), access: "owner", join: () => {}, leave: () => {} };

async function setUpGuard() {
  const rig = await makeModelRig();
  const root = join(rig.root, "guarded");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "src/a.ts"), "x");
  writeFileSync(join(root, "AGENTS.md"), "x");
  const pushed: Push[] = [];
  const { store, projects, sessions } = rig;
  const opened = await projects.open(root);
  if (!opened.ok) throw new Error(opened.error.code);
  const push = (message: Push): void => void pushed.push(message);
  const handlers = guardHandlers({ ...rig, now: () => 7, push }, () => {});
  return { store, handlers, pushed, sessions, projectId: opened.value.project.id };
}

const deny = { tool: "files", access: "write", glob: "src/**" } as const;

describe("rules in the settings", () => {
  test("are saved, pushed to every tab, changed, tested and removed", async () => {
    const { handlers, pushed, projectId } = await setUpGuard();
    const saved = await handlers["rules.save"]({ projectId, effect: "deny", pattern: deny });
    if (!saved.ok) throw new Error(saved.error.code);
    const { rule } = saved.value;
    expect(rule).toMatchObject({ effect: "deny", projectId, createdAt: 7, ...deny });
    expect(pushed.at(-1)).toEqual({ type: "rules", projectId, rules: [rule] });
    const try_ = async (kind: "write" | "exec" | "read", target: string) => {
      const tested = await handlers["rules.test"]({ projectId, mode: "full", kind, target });
      return tested.ok ? `${tested.value.decision.kind} ${tested.value.decision.reason}` : tested.error.code;
    };
    expect(await try_("write", "src/a.ts")).toBe("refuse rule_denies");
    expect(await try_("write", "b.ts")).toBe("allow mode");
    expect(await try_("exec", "echo x > src/a.ts")).toBe("refuse rule_denies");
    expect(await try_("exec", "rm x")).toBe("refuse blocked_word");
    expect(await try_("read", "/etc/passwd")).toBe("refuse outside");
    const changed = await handlers["rules.save"]({ id: rule.id, projectId, effect: "ask", pattern: deny });
    expect(changed).toEqual({ ok: true, value: { rule: { ...rule, effect: "ask" } } });
    expect(await try_("write", "src/a.ts")).toBe("ask rule_asks");
    expect(await handlers["rules.remove"]({ ruleId: rule.id })).toEqual({ ok: true, value: null });
    expect(await handlers["rules.list"]({ projectId })).toEqual({ ok: true, value: { rules: [] } });
    expect(pushed.at(-1)).toEqual({ type: "rules", projectId, rules: [] });
  });

  test("for hosts and external tools are saved in one spelling, and refused if they match nothing", async () => {
    const { handlers, projectId } = await setUpGuard();
    const save = async (pattern: Parameters<(typeof handlers)["rules.save"]>[0]["pattern"]) => {
      const saved = await handlers["rules.save"]({ projectId, effect: "ask", pattern });
      return saved.ok ? saved.value.rule : saved.error.code;
    };
    const first = await save({ tool: "net", host: "*.Example.com." });
    expect(first).toMatchObject({ tool: "net", host: "*.example.com" });
    expect(await save({ tool: "net", host: "*.example.com" })).toEqual(first);
    expect(await save({ tool: "external", pattern: "github/search_*" })).toMatchObject({ pattern: "github/search_*" });
    expect(await save({ tool: "external", pattern: "github" })).toMatchObject({ pattern: "github" });
    for (const host of ["*", "user@example.com", "example.com:443"])
      expect(await save({ tool: "net", host })).toBe("bad_input");
    for (const pattern of ["*", "github/", "/x"]) expect(await save({ tool: "external", pattern })).toBe("bad_input");
    const listed = await handlers["rules.list"]({});
    const tools = listed.ok ? listed.value.rules.map(({ tool }) => tool) : [];
    expect(tools.toSorted()).toEqual(["external", "external", "net"]);
  });

  test("that match nothing, belong to no project, or are too many are refused", async () => {
    const { handlers, projectId, store } = await setUpGuard();
    const code = async (input: Parameters<(typeof handlers)["rules.save"]>[0]) => {
      const saved = await handlers["rules.save"](input);
      return saved.ok ? "ok" : saved.error.code;
    };
    for (const glob of ["../x", "a/../../x", "/", "./"])
      expect(await code({ projectId, effect: "deny", pattern: { ...deny, glob } })).toBe("bad_input");
    expect(await code({ projectId: asId<ProjectId>("none"), effect: "deny", pattern: deny })).toBe("not_found");
    expect(await code({ projectId, effect: "deny", pattern: deny, id: asId<RuleId>("none") })).toBe("not_found");
    for (let index = store.rules.list(projectId).length; index < rulesMax; index += 1)
      store.rules.add({
        ...deny,
        glob: `g${index}`,
        id: asId<RuleId>(`r${index}`),
        projectId,
        effect: "ask",
        createdAt: 1,
      });
    expect(await code({ projectId, effect: "deny", pattern: deny })).toBe("too_many");
  });
});

describe("trust", () => {
  test("is granted and revoked, pushed to every tab, and required by Full access", async () => {
    const { handlers, pushed, projectId, sessions } = await setUpGuard();
    const mode = async (name: "full" | "edits", from: Pick<CommandClient, "origin"> = {}) => {
      const answer = await sessions.create(
        { projectId, commandId: testCommandId(), mode: name },
        { ...client, ...from },
      );
      return answer.ok ? "ok" : answer.error.code;
    };
    expect([await mode("full"), await mode("edits"), await mode("full", { origin: { kind: "cli" } })]).toEqual([
      "untrusted",
      "ok",
      "ok",
    ]);
    const trustAnswer = await handlers["project.trust"]({ projectId, trusted: true });
    expect(trustAnswer).toMatchObject({
      ok: true,
      value: { trusted: true, project: { trustedAt: 7 }, findings: [{ kind: "instructions", path: "AGENTS.md" }] },
    });
    expect(pushed.at(-1)).toMatchObject({ type: "project", project: { id: projectId, trustedAt: 7 } });
    expect(await mode("full")).toBe("ok");
    expect(await handlers["project.trust"]({ projectId, trusted: false })).toMatchObject({
      value: { trusted: false },
    });
    expect(await mode("full")).toBe("untrusted");
    expect(await handlers["project.trust"]({ projectId: asId<ProjectId>("none"), trusted: true })).toMatchObject({
      error: { code: "not_found" },
    });
  });

  test("revoked returns all sessions of the folder from Full access at once, a running one from its next decision", async () => {
    const harness = await makeTestHarness();
    const { store } = harness;
    const { registry } = harness.services();
    const [running, edits, binned] = [harness.session("full"), harness.session("edits"), harness.session("full")];
    const { projectId } = running.view;
    const other = store.projects.open({ path: "/elsewhere", name: "elsewhere" }, 1);
    const elsewhere = registry.create({
      projectId: other.id,
      cwd: "/elsewhere",
      mode: "full",
      commandId: testCommandId(),
    });
    store.projects.setTrust(projectId, 1);
    store.sessions.remove(binned.id, 1);
    const modeChanges: unknown[] = [];
    registry.subscribe(({ sessionId, event }) => {
      if (event.type === "session_update") modeChanges.push([sessionId, event.mode]);
    });
    const handlers = guardHandlers(harness.services(), () => {});
    const gate = makeGate();
    harness.script(callAnswer(["bash", { command: "echo one > a" }]), [
      gate,
      ...callAnswer(["bash", { command: "echo two > b" }]),
    ]);
    running.send("go", "prompt", testCommandId());
    await gate.reached;
    modeChanges.length = 0;
    expect((await handlers["project.trust"]({ projectId, trusted: true })).ok).toBe(true);
    expect(modeChanges).toEqual([]);
    expect((await handlers["project.trust"]({ projectId, trusted: false })).ok).toBe(true);
    expect(modeChanges.toSorted()).toEqual([running, binned].map(({ id }) => [id, "ask"]).toSorted());
    expect([edits.view.mode, elsewhere.view.mode]).toEqual(["edits", "full"]);
    expect(store.sessions.listInMode(projectId, "full")).toEqual([]);
    gate.open();
    expect(await waitForCards(running)).toHaveLength(1);
    expect(existsSync(join(harness.root, "a"))).toBe(true);
    expect(existsSync(join(harness.root, "b"))).toBe(false);
  });

  test("ends with a move of the folder: its sessions are no longer in Full access, and commands ask there", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    const { projectId } = session.view;
    harness.store.projects.setTrust(projectId, 1);
    const moved = join(harness.root, "moved");
    mkdirSync(moved);
    const handlers = guardHandlers(harness.services(), () => {});
    expect(await handlers["project.relink"]({ projectId, path: moved })).toMatchObject({ ok: true });
    expect(harness.store.projects.isTrusted(projectId)).toBe(false);
    expect(session.view.mode).toBe("ask");
    harness.script(callAnswer(["bash", { command: "echo one > a" }]));
    session.send("go", "prompt", testCommandId());
    expect(await waitForCards(session)).toHaveLength(1);
  });
});
