/** An incomplete list of enabled extensions: gates ask, nothing runs, and nothing is overwritten. Real files and sessions. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApprovalView } from "@/lib/view/view";
import { callAnswer, testCommandId, testTab, textAnswer, waitForCards } from "@/server/session/testing/test-harness";
import { bashScript, type ExtensionsRig, makeExtensionsRig, valueOf, writeExtension } from "./test-extensions";

/** Calls `ls` in Full access; denies its card, which it returns, if it asks. */
async function look({ harness, session }: ExtensionsRig, asks: boolean): Promise<ApprovalView | undefined> {
  harness.script(callAnswer(["ls", {}]), textAnswer("Done."));
  const sent = session.send("go", "prompt", testCommandId());
  if (!sent.ok) throw new Error(sent.error.code);
  const [card] = asks ? await waitForCards(session) : [];
  if (card !== undefined) session.answer(card.approvalId, { option: "deny" }, testTab);
  await sent.value.done;
  return card;
}

const passing = { "extension.yaml": "gate: { before_tool: gate.sh }\n", "gate.sh": bashScript("exit 0") };

/** A home where two extensions with a gate were enabled by an earlier process. */
async function makeEnabled() {
  const before = await makeExtensionsRig();
  for (const name of ["one", "two"]) writeExtension(before.place, name, passing);
  await before.enable("one");
  await before.enable("two");
  const path = join(before.harness.home, "extensions.json");
  return { rig: before, path, text: readFileSync(path, "utf8") };
}

const breaks: readonly (readonly [string, (path: string, text: string) => void])[] = [
  ["cut", (path, text) => writeFileSync(path, text.slice(0, -20))],
  ["empty", (path) => writeFileSync(path, "")],
  ["of another form", (path) => writeFileSync(path, '{"enabled":[]}')],
  [
    "a folder",
    (path) => {
      renameSync(path, `${path}.old`);
      mkdirSync(path);
    },
  ],
];

test.each(breaks)("while the file is %s every call asks, and it is not overwritten", async (_how, damage) => {
  const { rig, path, text } = await makeEnabled();
  damage(path, text);
  const { commands } = rig.reopen();
  const { projectId } = rig;
  for (const _call of ["first", "second"]) {
    const card = await look(rig, true);
    expect(card).toMatchObject({ options: ["once", "deny"], gate: { gate: "", failure: "not_loaded", file: path } });
  }
  const state = valueOf(await commands["extensions.list"]({ projectId }));
  expect(state.problem).toMatchObject({ code: "unreadable_file", facts: { path } });
  const shown = state.places.flatMap(({ extensions }) => extensions);
  expect(shown.map(({ name, status }) => [name, status])).toEqual([
    ["one", "off"],
    ["two", "off"],
  ]);
  for (const { path: extension, hash } of shown) {
    if (hash === null) throw new Error("no hash");
    const refused = { error: { code: "unreadable_file" } };
    expect(await commands["extensions.enable"]({ projectId, extension, hash })).toMatchObject(refused);
    expect(await commands["extensions.disable"]({ projectId, extension })).toMatchObject(refused);
  }
  // As soon as it can be read, the gates are there again.
  if (existsSync(`${path}.old`)) rmdirSync(path);
  writeFileSync(path, text);
  await look(rig, false);
  const { problem, places } = valueOf(await commands["extensions.list"]({ projectId }));
  expect(problem).toBeUndefined();
  expect(places.flatMap(({ extensions }) => extensions.map(({ status }) => status))).toEqual(["on", "on"]);
});

test("only a missing file means that nothing is enabled", async () => {
  const { rig, path } = await makeEnabled();
  renameSync(path, `${path}.old`);
  rig.reopen();
  expect(await look(rig, false)).toBeUndefined();
});

test.each(["null", '{"hash":1,"hasGate":false}', '{"hasGate":false}', '{"hash":"x"}', '"x"'])(
  "one entry that is %s asks for its extension alone, and the others stay enabled",
  async (entry) => {
    const { rig, path, text } = await makeEnabled();
    const one = join(rig.place, "one");
    const stored: { readonly enabled: Record<string, unknown> } = JSON.parse(text);
    writeFileSync(path, JSON.stringify({ enabled: { ...stored.enabled, [one]: JSON.parse(entry) } }));
    const { commands } = rig.reopen();
    expect((await look(rig, true))?.gate).toEqual({ gate: "one", reason: "", failure: "not_loaded", file: path });
    const { status, problems } = await rig.find("one");
    expect([status, problems]).toEqual(["changed", [{ kind: "broken_approval", file: path }]]);
    expect((await rig.find("two")).status).toBe("on");
    // A change of another one leaves the entry as it is.
    valueOf(await commands["extensions.disable"]({ projectId: rig.projectId, extension: join(rig.place, "two") }));
    expect((await look(rig, true))?.gate).toMatchObject({ gate: "one" });
    await rig.enable("one");
    expect(await look(rig, false)).toBeUndefined();
    expect((await rig.find("one")).status).toBe("on");
  },
);
