/** The files of workflows in real folders: which are read, which lead to others, how they are written. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeTestHarness } from "@/server/session/testing/test-harness";
import { makeWorkflowFiles } from "./workflow-files";
import { makeWorkflowLibrary } from "./workflow-library";

const { signal } = new AbortController();

async function makeRig() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-workflows-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const harness = await makeTestHarness();
  const { projectId } = harness.session().view;
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return {
    projectId,
    home: folder,
    root: harness.root,
    trust: (isTrusted: boolean) => harness.store.projects.setTrust(projectId, isTrusted ? 1 : null),
    library: makeWorkflowLibrary(harness.services().projects, makeWorkflowFiles(folder)),
    inProject: (name: string, text: string) => put(join(harness.root, `.gopi/workflows/${name}.yaml`), text),
    inHome: (name: string, text: string) => put(join(folder, `workflows/${name}.yaml`), text),
  };
}

test("a project's workflows count only while it is trusted, and come before those of the home", async () => {
  const rig = await makeRig();
  rig.inProject("check", "steps: [{run: ls}]");
  rig.inHome("check", "steps: [{prompt: hi}]");
  rig.trust(false);
  const untrusted = await rig.library.list(rig.projectId, signal);
  expect(untrusted).toMatchObject({
    ok: true,
    value: { isTrusted: false, untrusted: ["check"], files: [{ place: "home" }] },
  });
  expect(await rig.library.read(rig.projectId, "project", "check", signal)).toMatchObject({
    error: { code: "untrusted" },
  });
  rig.inProject("own", "steps: [{run: ls}]");
  expect(await rig.library.find(rig.projectId, "own", signal)).toMatchObject({ error: { code: "untrusted" } });
  rig.trust(true);
  const trusted = await rig.library.list(rig.projectId, signal);
  expect(trusted.ok && trusted.value.files.map(({ place, name, isShadowed }) => [place, name, isShadowed])).toEqual([
    ["project", "check", false],
    ["project", "own", false],
    ["home", "check", true],
  ]);
});

test("a link that leads out of the project is not read", async () => {
  const rig = await makeRig();
  rig.trust(true);
  rig.inHome("secret", "steps: [{prompt: hi}]");
  rig.inProject("own", "steps: [{prompt: hi}]");
  symlinkSync(join(rig.home, "workflows/secret.yaml"), join(rig.root, ".gopi/workflows/out.yaml"));
  expect(await rig.library.find(rig.projectId, "out", signal)).toMatchObject({ ok: false });
});

describe("a workflow that runs another one", () => {
  test.each([
    ["b", { kind: "unknown_workflow", line: 2, detail: "b" }],
    ["a", { kind: "cycle", line: 2, detail: "a" }],
    ["c", { kind: "cycle", line: 2, detail: "a" }],
    ["d1", { kind: "too_deep", line: 2, detail: "d4" }],
  ])("%s has a problem at its step", async (name, problem) => {
    const rig = await makeRig();
    rig.inHome("a", `steps:\n  - workflow: ${name}\n`);
    rig.inHome("c", "steps: [{workflow: a}]");
    for (const depth of [1, 2, 3]) rig.inHome(`d${depth}`, `steps: [{workflow: d${depth + 1}}]`);
    rig.inHome("d4", "steps: [{prompt: hi}]");
    const listed = await rig.library.list(rig.projectId, signal);
    expect(listed.ok && listed.value.files.find((file) => file.name === "a")?.problems).toEqual([problem]);
    expect(await rig.library.find(rig.projectId, "a", signal)).toMatchObject({
      error: { code: "bad_input", facts: { line: 2 } },
    });
  });

  test("has the steps of it", async () => {
    const rig = await makeRig();
    rig.inHome("a", "steps: [{id: x, workflow: b}]");
    rig.inHome("b", "steps: [{id: y, prompt: hi}]");
    const listed = await rig.library.list(rig.projectId, signal);
    expect(listed).toMatchObject({
      ok: true,
      value: { files: [{ steps: [{ id: "x", steps: [{ id: "y", title: "hi" }] }] }, {}] },
    });
  });
});

test.each(["home", "project"] as const)(
  "a file of the %s is written over the version that was read alone",
  async (place) => {
    const rig = await makeRig();
    rig.trust(true);
    const text = "steps: [{prompt: hi}]\n";
    const file = { place, name: "new", text, before: null };
    const written = await rig.library.write(rig.projectId, file, signal);
    expect(written).toMatchObject({ ok: true, value: { text, problems: [] } });
    expect((await rig.library.write(rig.projectId, file, signal)).ok).toBe(false);
    const before = written.ok ? written.value.hash : null;
    const wrong = "steps: [{promt: hi}]\n";
    expect(await rig.library.write(rig.projectId, { ...file, text: wrong, before }, signal)).toMatchObject({
      ok: true,
      value: { problems: [{ kind: "no_kind" }, { kind: "unknown_key", line: 1, detail: "promt" }] },
    });
    expect(await rig.library.write(rig.projectId, { ...file, before }, signal)).toMatchObject({
      error: { code: "changed_meanwhile" },
    });
    const path = place === "home" ? join(rig.home, "workflows/new.yaml") : join(rig.root, ".gopi/workflows/new.yaml");
    expect(readFileSync(path, "utf8")).toBe(wrong);
    expect(await rig.library.write(rig.projectId, { ...file, name: "../x" }, signal)).toMatchObject({
      error: { code: "bad_path" },
    });
  },
);
