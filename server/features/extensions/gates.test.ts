/** Gates in sessions of the product: real scripts; only the model is a script. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { asId, type SessionId } from "@/lib/events/id";
import type { ApprovalView } from "@/lib/view/view";
import {
  callAnswer,
  type ScriptedAnswer,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
} from "@/server/session/testing/test-harness";
import {
  bashScript,
  listCalls,
  type ExtensionsRig,
  isAlive,
  lastOutput,
  makeExtensionsRig,
  nodeScript,
  pythonScript,
  valueOf,
  writeExtension,
  writeExtensionFile,
} from "./test-extensions";

const gateYaml = (file: string): string => `gate: { before_tool: ${file} }\n`;

async function enableGate(rig: ExtensionsRig, file: string, text: string, name = "guard"): Promise<void> {
  writeExtension(rig.place, name, { "extension.yaml": gateYaml(file), [file]: text });
  await rig.enable(name);
}

/** Runs a call in Full access; allows its card, which it returns, if the call asks. */
async function run(rig: ExtensionsRig, answer: ScriptedAnswer, asks: boolean): Promise<ApprovalView | undefined> {
  const { harness, session } = rig;
  harness.script(answer, textAnswer("Done."));
  const sent = session.send("go", "prompt", testCommandId());
  if (!sent.ok) throw new Error(sent.error.code);
  const [card] = asks ? await waitForCards(session) : [];
  if (card !== undefined) session.answer(card.approvalId, { option: "once" }, testTab);
  await sent.value.done;
  return card;
}

const write = callAnswer(["write", { path: "a.txt", content: "text" }]);

describe("a gate denies", () => {
  test.each([
    ["by exit 2, with the reason on its error output", "gate.sh", bashScript("echo 'not on Fridays' >&2; exit 2")],
    ["by JSON", "gate.mjs", nodeScript('console.log(JSON.stringify({decision: "deny", reason: "not on Fridays"}));')],
    [
      "by JSON in the words of Claude Code",
      "gate.py",
      pythonScript('print(json.dumps({"decision": "block", "reason": "not on Fridays"}))'),
    ],
  ])("%s", async (_how, file, text) => {
    const rig = await makeExtensionsRig();
    await enableGate(rig, file, text);
    await run(rig, write, false);
    expect(listCalls(rig.session.view)).toMatchObject([
      {
        state: "error",
        approvals: [],
        facts: { code: "blocked", rule: "gate", refusedBy: "guard", refusedWords: "not on Fridays" },
      },
    ]);
    expect(lastOutput(rig.session.view)).toContain(
      "the gate of the extension guard denies this call: not on Fridays. Do not",
    );
    expect(existsSync(join(rig.harness.root, "a.txt"))).toBe(false);
  });
});

test("a gate that says nothing, or allows, leaves the decision as it is", async () => {
  const rig = await makeExtensionsRig();
  await enableGate(rig, "gate.sh", bashScript("cat > /dev/null"));
  await enableGate(rig, "gate.sh", bashScript(`echo '{"decision":"allow"}'`), "second");
  await run(rig, write, false);
  expect(listCalls(rig.session.view)).toMatchObject([{ state: "ok", approvals: [] }]);
  // The mode's own approvals are unchanged.
  const asking = rig.newSession("ask");
  rig.harness.script(callAnswer(["write", { path: "b.txt", content: "text" }]), textAnswer("Done."));
  const sent = asking.send("go", "prompt", testCommandId());
  const [card] = await waitForCards(asking);
  expect(card?.gate).toBeUndefined();
  if (card !== undefined) asking.answer(card.approvalId, { option: "deny" }, testTab);
  if (sent.ok) await sent.value.done;
});

describe("in Full access the card says why a gate asks", () => {
  const rows: readonly (readonly [string, string, { readonly reason?: unknown; readonly failure?: string }])[] = [
    ["it asks", bashScript(`echo '{"decision":"ask","reason":"look twice"}'`), { reason: "look twice" }],
    ["late", bashScript("sleep 60"), { failure: "late", reason: "" }],
    ["broken", bashScript("echo 'no such rule' >&2; exit 1"), { failure: "broken", reason: "no such rule" }],
    ["garbage", bashScript("echo maybe"), { failure: "broken", reason: "maybe" }],
    ["an unknown decision", bashScript(`echo '{"decision":"perhaps"}'`), { failure: "broken" }],
    ["an object without a decision", bashScript(`echo '{}'`), { failure: "broken" }],
    ["killed", bashScript("kill -9 $$"), { failure: "broken" }],
    ["endless output", bashScript("yes"), { failure: "broken" }],
    ["endless error output", bashScript("yes >&2"), { failure: "late" }],
    ["signals that are ignored", bashScript("trap '' TERM HUP INT; while :; do sleep 1; done"), { failure: "late" }],
    ["output that a process outside of its group holds", bashScript("setsid sleep 100 & exit 0"), { failure: "late" }],
    ["half an answer", bashScript(`printf '{"decision":"allow"'`), { failure: "broken" }],
    ["an answer that is not UTF-8", bashScript(`printf '{"decision":"allow\\377"}'`), { failure: "broken" }],
    ["two answers", bashScript(`echo '{"decision":"allow"}'; echo '{"decision":"allow"}'`), { failure: "broken" }],
    ["a list of answers", bashScript(`echo '[{"decision":"allow"}]'`), { failure: "broken" }],
    ["a name of every object", bashScript(`echo '{"decision":"constructor"}'`), { failure: "broken" }],
    ["a missing interpreter", "#!/nowhere/x\n", { failure: "broken", reason: expect.stringContaining("/nowhere/x") }],
  ];
  test.each(rows)("%s", async (_title, text, note) => {
    const rig = await makeExtensionsRig();
    await enableGate(rig, "gate.sh", text);
    const card = await run(rig, write, true);
    expect(card).toMatchObject({ options: ["once", "deny"], gate: { gate: "guard", ...note } });
    expect(listCalls(rig.session.view)).toMatchObject([{ state: "ok" }]);
    expect(readFileSync(join(rig.harness.root, "a.txt"), "utf8")).toBe("text");
  });

  test("no execute bit", async () => {
    const rig = await makeExtensionsRig();
    await enableGate(rig, "gate.sh", bashScript("exit 0"));
    chmodSync(join(rig.place, "guard/gate.sh"), 0o644);
    expect((await run(rig, write, true))?.gate).toMatchObject({
      failure: "broken",
      reason: expect.stringContaining("chmod +x"),
    });
  });

  test("changed; a call that cannot be run gets no card, and a question has its input on it", async () => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "guard", {
      "extension.yaml": `${gateYaml("gate.sh")}tools:\n  - name: look\n    description: Looks.\n    run: gate.sh\n`,
      "gate.sh": bashScript("exit 0"),
    });
    await rig.enable("guard");
    writeFileSync(join(rig.place, "guard/gate.sh"), bashScript("exit 0 # changed"));
    expect((await rig.find("guard")).status).toBe("changed");
    for (const [tool, code] of [
      ["guard__look", "tool_changed"],
      ["guard__unheard", "unknown_tool"],
    ] as const) {
      await run(rig, callAnswer(["toolbox", { tool, input: {} }]), false);
      expect(listCalls(rig.session.view).at(-1)).toMatchObject({ state: "error", approvals: [], facts: { code } });
    }
    const question = { search: "look" };
    expect(await run(rig, callAnswer(["toolbox", question]), true)).toMatchObject({
      preview: { kind: "external", source: "toolbox", input: question },
      gate: { gate: "guard", failure: "changed" },
    });
    expect(listCalls(rig.session.view).at(-1)).toMatchObject({ state: "ok" });
  });

  test("changed, gone, and no more after it is disabled", async () => {
    const rig = await makeExtensionsRig();
    const { projectId } = rig;
    await enableGate(rig, "gate.sh", bashScript("exit 0"));
    writeFileSync(join(rig.place, "guard/gate.sh"), bashScript("exit 0 # changed"));
    expect((await run(rig, write, true))?.gate).toMatchObject({ gate: "guard", failure: "changed" });
    expect((await rig.find("guard")).status).toBe("changed");
    rmSync(join(rig.place, "guard"), { recursive: true });
    const { path, status } = await rig.find("guard");
    expect(status).toBe("gone");
    expect((await run(rig, callAnswer(["ls", {}]), true))?.gate).toMatchObject({ gate: "guard", failure: "changed" });
    valueOf(await rig.commands["extensions.disable"]({ projectId, extension: path }));
    expect(await run(rig, callAnswer(["ls", {}]), false)).toBeUndefined();
  });
});

test("a gate that another extension of its name hides asks, and cannot be enabled without a gate", async () => {
  const rig = await makeExtensionsRig();
  const { projectId } = rig;
  rig.harness.store.projects.setTrust(projectId, 1);
  const project = join(rig.harness.root, ".gopi/extensions");
  writeExtension(project, "guard", { "extension.yaml": gateYaml("gate.sh"), "gate.sh": bashScript("exit 2") });
  const { path, hash } = await rig.enable("guard");
  writeExtension(rig.place, "guard", { "extension.yaml": "commands: [{name: x, prompt: y}]" });
  await rig.state();
  expect((await run(rig, write, true))?.gate).toMatchObject({ gate: "guard", failure: "changed" });
  if (hash === null) throw new Error("no hash");
  expect(await rig.commands["extensions.enable"]({ projectId, extension: path, hash })).toMatchObject({
    error: { code: "bad_input" },
  });
});

test("a gate of the folder that a project had before is not asked, although the user trusts the new one", async () => {
  const rig = await makeExtensionsRig();
  const { harness, projectId } = rig;
  const ran = join(harness.userHome, "ran");
  harness.store.projects.setTrust(projectId, 1);
  const project = join(harness.root, ".gopi/extensions");
  writeExtension(project, "guard", {
    "extension.yaml": gateYaml("gate.sh"),
    "gate.sh": bashScript(`echo ran >> ${ran}; exit 2`),
  });
  await rig.enable("guard");
  const moved = join(harness.userHome, "moved");
  mkdirSync(moved);
  valueOf(await harness.services().projects.relink(projectId, moved));
  harness.store.projects.setTrust(projectId, 2);
  await run(rig, callAnswer(["ls", {}]), false);
  expect(existsSync(ran)).toBe(false);
});

test("nothing of a project runs after the user has withdrawn the trust", async () => {
  const rig = await makeExtensionsRig();
  const { projects } = rig.harness.store;
  projects.setTrust(rig.projectId, 1);
  const ran = join(rig.harness.userHome, "ran");
  writeExtension(join(rig.harness.root, ".gopi/extensions"), "guard", {
    "extension.yaml": `${gateYaml("run.sh")}on: [{event: run_start, run: run.sh}]\n`,
    "run.sh": bashScript(`echo ran >> ${ran}`),
  });
  await rig.enable("guard");
  projects.setTrust(rig.projectId, null);
  await run(rig, write, false);
  await rig.close();
  expect(existsSync(ran)).toBe(false);
  expect(rig.bugs).toEqual([]);
});

test("a gate that reads nothing may end before a large call was written to it", async () => {
  const rig = await makeExtensionsRig();
  await enableGate(rig, "gate.sh", bashScript("exec 0<&- 1>&- 2>&-; exit 0"));
  await run(
    rig,
    callAnswer(["write", { path: "a.txt", content: Array.from({ length: 30_000 }, (_, index) => index).join(" ") }]),
    false,
  );
  expect(listCalls(rig.session.view)).toMatchObject([{ state: "ok", approvals: [] }]);
});

test("nothing that a gate started is left, in whichever group it is", async () => {
  const rig = await makeExtensionsRig();
  const pids = join(rig.harness.userHome, "pids");
  const child = "sleep 100 < /dev/null > /dev/null 2>&1";
  await enableGate(
    rig,
    "gate.sh",
    bashScript(`${child} & echo $! > '${pids}'; setsid ${child} & echo $! >> '${pids}'; exit 0`),
  );
  await run(rig, write, false);
  const left = readFileSync(pids, "utf8").trim().split("\n").map(Number);
  expect(left.length).toBe(2);
  expect(left.filter(isAlive)).toEqual([]);
});

test("a gate whose start the system refuses asks, and another one still denies", async () => {
  const rig = await makeExtensionsRig();
  // A script that is its own interpreter.
  writeExtension(rig.place, "a-loop", {
    "extension.yaml": gateYaml("gate.sh"),
    "gate.sh": "#!/proc/self/cwd/gate.sh\n",
  });
  await rig.enable("a-loop");
  expect((await run(rig, write, true))?.gate).toMatchObject({ gate: "a-loop", failure: "broken" });
  await enableGate(rig, "gate.sh", bashScript("exit 2"), "b-denies");
  await run(rig, callAnswer(["write", { path: "b.txt", content: "text" }]), false);
  expect(listCalls(rig.session.view).at(-1)).toMatchObject({ state: "error", facts: { refusedBy: "b-denies" } });
});

test("two gates are asked at once, and each of them for each of two calls", async () => {
  const rig = await makeExtensionsRig();
  const folder = rig.harness.userHome;
  // Each gate waits until the other one runs too.
  const meets = (own: string, other: string): string =>
    bashScript(
      `read -r line; touch '${folder}/${own}'; until [ -e '${folder}/${other}' ]; do sleep 0.02; done; echo asked >> '${folder}/asked'`,
    );
  await enableGate(rig, "gate.sh", meets("a", "b"), "a");
  await enableGate(rig, "gate.sh", meets("b", "a"), "b");
  await run(rig, callAnswer(["ls", {}], ["write", { path: "a.txt", content: "text" }]), false);
  expect(listCalls(rig.session.view)).toMatchObject([{ state: "ok" }, { state: "ok" }]);
  expect(readFileSync(join(folder, "asked"), "utf8")).toBe("asked\n".repeat(4));
});

test("the strictest of several gates counts", async () => {
  const rig = await makeExtensionsRig();
  await enableGate(rig, "gate.sh", bashScript(`echo '{"decision":"ask"}'`), "a-asks");
  await enableGate(rig, "gate.sh", bashScript("exit 2"), "b-denies");
  await run(rig, write, false);
  expect(listCalls(rig.session.view)).toMatchObject([{ state: "error", facts: { refusedBy: "b-denies" } }]);
});

describe("a gate holds", () => {
  const names = (rig: ExtensionsRig): readonly unknown[] =>
    readFileSync(join(rig.harness.userHome, "gated"), "utf8")
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
      .map((line) => (typeof line === "object" && line !== null && "tool_name" in line ? line.tool_name : null));
  const recorder = (rig: ExtensionsRig): string =>
    nodeScript(
      `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(join(rig.harness.userHome, "gated"))}, JSON.stringify(call) + "\\n");\nprocess.exit(2);`,
    );

  test.each<readonly [string, Json, string]>([
    ["bash", { command: "ls" }, "bash"],
    ["read", { path: "a.txt" }, "read"],
    ["write", { path: "a.txt", content: "x" }, "write"],
    ["toolbox", { tool: "probe__look", input: { text: "x" } }, "probe__look"],
    ["probe__look", { text: "x" }, "probe__look"],
    ["toolbox", { search: "look" }, "toolbox"],
  ])("for %s %j", async (tool, input, expected) => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", {
      "extension.yaml":
        "tools:\n  - {name: look, description: Looks., run: run.sh, parameters: {type: object, properties: {text: {type: string}}}}\n",
      "run.sh": bashScript("echo ran"),
    });
    await rig.enable("probe");
    await enableGate(rig, "gate.mjs", recorder(rig));
    // The session is begun with the toolbox in its prompt.
    const session = rig.newSession("full");
    rig.harness.script(callAnswer([tool, input]), textAnswer("Done."));
    const sent = session.send("go", "prompt", testCommandId());
    if (sent.ok) await sent.value.done;
    expect(listCalls(session.view)).toMatchObject([{ state: "error", facts: { rule: "gate" } }]);
    expect(names(rig)).toEqual([expected]);
  });

  test("for a call that is found in text", async () => {
    const rig = await makeExtensionsRig();
    await enableGate(rig, "gate.mjs", recorder(rig));
    const text = '<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>';
    rig.harness.script(textAnswer(text), textAnswer("Done."));
    const sent = rig.session.send("go", "prompt", testCommandId());
    if (sent.ok) await sent.value.done;
    expect(listCalls(rig.session.view)).toMatchObject([{ name: "bash", facts: { rule: "gate" } }]);
    expect(names(rig)).toEqual(["bash"]);
  });
});

test("an extension without a gate is not asked, and a gate is not asked in another project's words", async () => {
  const rig = await makeExtensionsRig();
  writeExtensionFile(join(rig.place, "words.sh"), "#!/bin/sh\n# gopi:\n# commands: [{name: x, prompt: y}]\nexit 2\n");
  await rig.enable("words");
  const call = {
    projectId: rig.projectId,
    sessionId: asId<SessionId>("s1"),
    mode: "full" as const,
    tool: "bash",
    input: {},
  };
  expect(await rig.feature.askGates(call, new AbortController().signal)).toEqual({ kind: "pass" });
});
