/** Tools of extensions in sessions of the product: real scripts, real files; only the model is a script. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import type { Json } from "@/lib/events/content";
import { pathEntries } from "@/lib/view/view";
import {
  callAnswer,
  promptAndWait,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
  waitForView,
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

const yaml = (run: string, more = ""): string =>
  `description: Test\ntools:\n  - name: look\n    description: Looks at a text.\n    parameters: {type: object, properties: {text: {type: string}}}\n    run: ${run}\n${more}`;

/** Sends a prompt whose answer calls the tool; allows its card if there is one. */
async function call(rig: ExtensionsRig, input: { readonly [name: string]: string } = { text: "hi" }, asks = true) {
  const { harness, session } = rig;
  await rig.state();
  harness.script(callAnswer(["toolbox", { tool: "probe__look", input }]), textAnswer("Done."));
  const sent = session.send("go", "prompt", testCommandId());
  if (!sent.ok) throw new Error(sent.error.code);
  if (asks) {
    const [card] = await waitForCards(session);
    if (card !== undefined) session.answer(card.approvalId, { option: "once" }, testTab);
  }
  await sent.value.done;
  return { call: listCalls(session.view).at(-1), text: lastOutput(session.view) };
}

describe("a tool", () => {
  test.each([
    ["bash", "run.sh", bashScript(`read -r line; printf '%s' "$line"`)],
    ["node", "run.mjs", nodeScript("process.stdout.write(JSON.stringify(call));")],
    ["python", "run.py", pythonScript("sys.stdout.write(json.dumps(call))")],
  ])("in %s gets its call as one line and answers", async (_kind, file, text) => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", { "extension.yaml": yaml(file), [file]: text });
    await rig.enable("probe");
    const { call: made, text: output } = await call(rig);
    expect(made).toMatchObject({ name: "probe__look", state: "ok" });
    expect(output.startsWith("[from probe]\n")).toBe(true);
    const got: unknown = JSON.parse(output.slice("[from probe]\n".length));
    expect(got).toEqual({
      kind: "tool",
      name: "look",
      input: { text: "hi" },
      extension: "probe",
      project: rig.harness.root,
      session_id: rig.session.id,
      cwd: rig.harness.root,
      hook_event_name: "ToolCall",
      tool_name: "look",
      tool_input: { text: "hi" },
    });
  });

  test("asks at its first call, then runs by the mode, and asks again when a file changed", async () => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("echo one") });
    await rig.enable("probe");
    expect((await call(rig)).text).toContain("one");
    expect((await call(rig, { text: "b" }, false)).call?.approvals).toEqual([]);
    writeExtensionFile(join(rig.place, "probe/run.sh"), bashScript("echo two"));
    expect((await rig.find("probe")).status).toBe("changed");
    expect((await call(rig, { text: "c" }, false)).call).toMatchObject({
      state: "error",
      facts: { code: "tool_changed" },
    });
    await rig.enable("probe");
    const again = await call(rig, { text: "d" });
    expect(again.call?.approvals[0]?.preview).toMatchObject({
      kind: "external",
      source: "probe",
      why: "changed_definition",
    });
    expect(again.text).toContain("two");
  });

  test("whose file changes between the reading and the call is not run", async () => {
    const rig = await makeExtensionsRig();
    const mark = join(rig.harness.userHome, "ran");
    writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("echo one") });
    await rig.enable("probe");
    await call(rig);
    rig.harness.script(callAnswer(["toolbox", { tool: "probe__look", input: { text: "x" } }]), textAnswer("Done."));
    writeExtensionFile(join(rig.place, "probe/run.sh"), bashScript(`touch '${mark}'`));
    await promptAndWait(rig.session, "go");
    expect(listCalls(rig.session.view).at(-1)).toMatchObject({ state: "error", facts: { code: "changed_meanwhile" } });
    expect(existsSync(mark)).toBe(false);
  });

  test("that fails gives the end of its error output", async () => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", {
      "extension.yaml": yaml("run.sh"),
      "run.sh": bashScript("echo part; for i in $(seq 2000); do echo line $i >&2; done; exit 3"),
    });
    await rig.enable("probe");
    const { call: made, text } = await call(rig);
    expect(made).toMatchObject({ state: "error", facts: { exit: 3 } });
    expect(text).toContain("look failed with exit code 3.");
    expect(text).toContain("line 2000");
    expect(text).toContain("part");
    expect(text).not.toContain("line 1\n");
  });

  test("answers with text and images, and bytes that are not UTF-8 are replaced", async () => {
    const rig = await makeExtensionsRig({ seesImages: () => true });
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(24)]).toString("base64");
    writeExtension(rig.place, "probe", {
      "extension.yaml": yaml("run.py"),
      "run.py": pythonScript(
        `if call["input"]["text"] == "image":\n    print(json.dumps({"text": "seen", "images": ["data:image/png;base64,${png}"]}))\nelse:\n    sys.stdout.buffer.write(b"a\\xff\\xfeb")`,
      ),
    });
    await rig.enable("probe");
    const { call: made, text } = await call(rig, { text: "image" });
    expect(made?.output?.map(({ type }) => type)).toEqual(["text", "image"]);
    expect(text).toContain("seen");
    expect((await call(rig, { text: "bytes" }, false)).text).toContain("a\ufffd\ufffdb");
  });

  test("that writes without end is cut and killed", async () => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("yes") });
    await rig.enable("probe");
    const { call: made, text } = await call(rig);
    expect(made).toMatchObject({ state: "error", facts: { ended: "output_limit" } });
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain("more than 10 MB of output");
  });

  test("that takes too long is ended with all its children", async () => {
    const rig = await makeExtensionsRig();
    const pids = join(rig.harness.userHome, "pids");
    writeExtension(rig.place, "probe", {
      "extension.yaml": yaml("run.sh", "    timeout: 1\n"),
      "run.sh": bashScript(`trap '' TERM; setsid sleep 100 & echo $! $$ > '${pids}'; sleep 100 & wait; wait`),
    });
    await rig.enable("probe");
    const { call: made, text } = await call(rig);
    expect(made).toMatchObject({ state: "error", facts: { ended: "timeout" } });
    expect(text).toContain("was ended after 1 s");
    // A killed process has its number until its parent, or init, has read its end.
    for (const pid of readFileSync(pids, "utf8").trim().split(" "))
      await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });

  test("is stopped by the user with all its children", async () => {
    const rig = await makeExtensionsRig();
    const { harness, session } = rig;
    const pids = join(harness.userHome, "pids");
    writeExtension(rig.place, "probe", {
      "extension.yaml": yaml("run.sh"),
      "run.sh": bashScript(`trap '' TERM; setsid sleep 100 & echo $! $$ > '${pids}'; sleep 100 & wait; wait`),
    });
    await rig.enable("probe");
    harness.script(callAnswer(["toolbox", { tool: "probe__look", input: { text: "x" } }]));
    const sent = session.send("go", "prompt", testCommandId());
    if (!sent.ok) throw new Error(sent.error.code);
    const [card] = await waitForCards(session);
    if (card !== undefined) session.answer(card.approvalId, { option: "once" }, testTab);
    await eventually(() => expect(readFileSync(pids, "utf8").trim()).not.toBe(""));
    await session.abort();
    await sent.value.done;
    await waitForView(session, (view) => view.run === null);
    expect(listCalls(session.view).at(-1)?.state).toBe("aborted");
    await eventually(() =>
      expect(
        readFileSync(pids, "utf8")
          .trim()
          .split(" ")
          .filter((pid) => isAlive(Number(pid))),
      ).toEqual([]),
    );
  });

  test("gets the scrubbed environment and the variables it names, which are masked in its log", async () => {
    const rig = await makeExtensionsRig({ environment: { MY_TOKEN: "tok-123456789", OTHER_TOKEN: "other-123456789" } });
    writeExtension(rig.place, "probe", {
      "extension.yaml": `env: [MY_TOKEN, UNSET]\n${yaml("run.sh")}`,
      "run.sh": bashScript(`env; pwd`),
    });
    await rig.enable("probe");
    expect((await rig.find("probe")).variables).toEqual([
      { name: "MY_TOKEN", isSet: true },
      { name: "UNSET", isSet: false },
    ]);
    const { text } = await call(rig);
    expect(text).toContain("MY_TOKEN=tok-123456789");
    expect(text).not.toContain("OTHER_TOKEN");
    // The project is not trusted: interpreters would read what lies in it.
    expect(text).toContain(`\n${join(rig.harness.home, "script-copies")}/`);
    const log = await rig.log("probe");
    expect(log).toContain("tool look");
    expect(log).not.toContain("tok-123456789");
  });

  test("runs in the project that the user trusts", async () => {
    const rig = await makeExtensionsRig();
    rig.harness.store.projects.setTrust(rig.projectId, 1);
    writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("pwd") });
    await rig.enable("probe");
    expect((await call(rig)).text).toContain(rig.harness.root);
  });

  test.each([
    ["no execute bit", "#!/bin/sh\necho", 0o644, "is not executable; this corrects it: chmod +x"],
    ["a missing interpreter", "#!/nowhere/interpreter\n", 0o755, "interpreter /nowhere/interpreter"],
    ["a missing program of env", "#!/usr/bin/env no-such-program-here\n", 0o755, "exit code 127"],
  ])("with %s says what is missing", async (_kind, text, mode, expected) => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": text });
    chmodSync(join(rig.place, "probe/run.sh"), mode);
    await rig.enable("probe");
    expect((await call(rig)).text).toContain(expected);
  });
});

describe("an extension", () => {
  test("does nothing before it is enabled, and nothing after it is disabled", async () => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("echo one") });
    expect((await rig.find("probe")).status).toBe("off");
    const { catalogue } = rig.harness.services().services;
    expect(catalogue(rig.projectId).tools).toEqual([]);
    const off = "probe is switched off. Do not call it again; the user can switch it on in Settings > Extensions.";
    expect(await call(rig, {}, false)).toMatchObject({ call: { facts: { code: "tool_off" } }, text: off });
    const { path } = await rig.enable("probe");
    expect(catalogue(rig.projectId).tools.map(({ name }) => name)).toEqual(["probe__look"]);
    valueOf(await rig.commands["extensions.disable"]({ projectId: rig.projectId, extension: path }));
    expect(catalogue(rig.projectId).tools).toEqual([]);
    expect(await call(rig, {}, false)).toMatchObject({ call: { facts: { code: "tool_off" } }, text: off });
  });

  test("is enabled only as it was shown", async () => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("echo one") });
    const { path, hash } = await rig.find("probe");
    writeFileSync(join(rig.place, "probe/note.txt"), "x");
    if (hash === null) throw new Error("no hash");
    const enabled = await rig.commands["extensions.enable"]({ projectId: rig.projectId, extension: path, hash });
    expect(enabled).toMatchObject({ ok: false, error: { code: "changed_meanwhile" } });
  });

  test("of one file has its definition in a comment", async () => {
    const rig = await makeExtensionsRig();
    const head = "#!/usr/bin/env bash\n# gopi:\n#   tools:\n#     - name: look\n#       description: Looks.\n";
    writeExtensionFile(join(rig.place, "probe.sh"), `${head}echo from one file\n`);
    expect(await rig.enable("probe")).toMatchObject({ isFile: true, status: "on", files: [{ path: "probe.sh" }] });
    expect((await call(rig, {})).text).toContain("from one file");
  });

  test("of an untrusted project is not read; of a trusted one it is enabled by its hash", async () => {
    const rig = await makeExtensionsRig();
    const place = join(rig.harness.root, ".gopi/extensions");
    writeExtension(place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("echo project") });
    expect((await rig.state()).places.flatMap(({ extensions }) => extensions)).toEqual([]);
    rig.harness.store.projects.setTrust(rig.projectId, 1);
    await rig.enable("probe");
    expect((await call(rig)).text).toContain("project");
  });

  const folder = (place: string): string => join(place, "probe");
  test.each<readonly [string, string, (place: string) => void]>([
    ["a name that is none", "bad_name", (place) => writeExtension(place, "Bad Name", { "extension.yaml": "env: []" })],
    [
      "a name of this program",
      "reserved_name",
      (place) => writeExtension(place, "memory", { "extension.yaml": "env: []" }),
    ],
    ["no definition", "no_definition", (place) => mkdirSync(folder(place), { recursive: true })],
    [
      "a script without a block",
      "no_definition",
      (place) => writeExtensionFile(join(place, "probe.sh"), "#!/bin/sh\n"),
    ],
    [
      "text that is not UTF-8",
      "not_text",
      (place) => {
        mkdirSync(folder(place), { recursive: true });
        writeFileSync(join(folder(place), "extension.yaml"), Buffer.from([0x61, 0xff]));
      },
    ],
    [
      "a large definition",
      "definition_large",
      (place) => writeExtension(place, "probe", { "extension.yaml": `# ${"x".repeat(70_000)}` }),
    ],
    [
      "a link out of its folder",
      "link",
      (place) => {
        writeExtension(place, "probe", { "extension.yaml": "env: []" });
        symlinkSync("/etc/hostname", join(folder(place), "outside"));
      },
    ],
    [
      "a folder that is a link out",
      "link",
      (place) => {
        mkdirSync(place, { recursive: true });
        symlinkSync("/etc", join(place, "probe"));
      },
    ],
    [
      "101 files",
      "too_many_files",
      (place) => {
        writeExtension(place, "probe", { "extension.yaml": "env: []" });
        for (let index = 0; index < 100; index += 1) writeFileSync(join(folder(place), `file${index}`), "");
      },
    ],
    [
      "5 MB and more",
      "files_large",
      (place) => {
        writeExtension(place, "probe", { "extension.yaml": "env: []" });
        writeFileSync(join(folder(place), "large"), Buffer.alloc(5_000_001));
      },
    ],
    [
      "five levels",
      "too_deep",
      (place) => writeExtension(place, "probe", { "a/b/c/d/e": "", "extension.yaml": "env: []" }),
    ],
    ["broken YAML", "broken_yaml", (place) => writeExtension(place, "probe", { "extension.yaml": "tools: [" })],
  ])("with %s cannot be used", async (_title, kind, write) => {
    const rig = await makeExtensionsRig();
    write(rig.place);
    const [place] = (await rig.state()).places;
    expect(place?.extensions[0]?.status).toBe("unusable");
    expect(place?.extensions[0]?.problems[0]?.kind).toBe(kind);
  });

  test("beyond the fiftieth is not read, and the second of a name cannot be used", async () => {
    const rig = await makeExtensionsRig();
    for (let index = 0; index < 51; index += 1) mkdirSync(join(rig.place, `z${index}`), { recursive: true });
    expect((await rig.state()).places[0]).toMatchObject({ extensions: { length: 50 }, more: 1 });
    writeExtension(rig.place, "a", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("echo") });
    writeExtensionFile(join(rig.place, "a.sh"), "#!/bin/sh\n# gopi:\n# commands: [{name: x, prompt: y}]\n");
    const [first, second] = (await rig.state()).places[0]?.extensions ?? [];
    expect([first?.status, second?.problems[0]]).toMatchObject([
      "off",
      { kind: "same_extension", detail: first?.path },
    ]);
  });

  test("a script without its first line or execute bit is named", async () => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": "echo" });
    const { problems } = await rig.find("probe");
    const file = join(rig.place, "probe/run.sh");
    expect(problems).toEqual([
      { kind: "no_interpreter", file, line: 1 },
      { kind: "not_executable", file, detail: `chmod +x '${file}'` },
    ]);
  });

  test.each(["bash", "node", "python"] as const)("from the %s template works", async (template) => {
    const rig = await makeExtensionsRig();
    const { projectId, harness, session } = rig;
    const created = valueOf(await rig.commands["extensions.create"]({ projectId, name: "mine", template }));
    expect(created.path).toBe(join(rig.place, "mine"));
    expect(await rig.enable("mine")).toMatchObject({ status: "on", problems: [], commands: [{ name: "review" }] });
    const tool = template === "bash" ? "mine__project_size" : "mine__count_words";
    const input: Json = template === "bash" ? {} : { text: "three small words" };
    harness.script(callAnswer(["toolbox", { tool, input }]), textAnswer("Done."));
    const sent = session.send("go", "prompt", testCommandId());
    const [card] = await waitForCards(session);
    if (card !== undefined) session.answer(card.approvalId, { option: "once" }, testTab);
    if (sent.ok) await sent.value.done;
    expect(lastOutput(session.view)).toMatch(template === "bash" ? /\d+.*\./ : /3 words/);
    expect(await rig.commands["extensions.create"]({ projectId, name: "mine", template })).toMatchObject({
      error: { code: "exists" },
    });
    expect(await rig.commands["extensions.create"]({ projectId, name: "../x", template })).toMatchObject({
      error: { code: "bad_path" },
    });
  });
});

test("the prompt of a running session keeps its bytes when extensions come and change", async () => {
  const rig = await makeExtensionsRig();
  const { harness, session } = rig;
  harness.script(textAnswer("One."));
  await promptAndWait(session, "first");
  writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("echo one") });
  await rig.enable("probe");
  harness.script(textAnswer("Two."));
  await promptAndWait(session, "second");
  writeExtensionFile(join(rig.place, "probe/run.sh"), bashScript("echo two"));
  await rig.state();
  harness.script(textAnswer("Three."));
  await promptAndWait(session, "third");
  const wire = harness.requests.map((request) => JSON.stringify([request.tools, request.messages]).slice(0, -2));
  for (const [index, text] of wire.entries()) if (index > 0) expect(text.startsWith(wire[index - 1] ?? "")).toBe(true);
  expect(wire[1]).toContain("probe__look");
  expect(pathEntries(session.view).length).toBeGreaterThan(3);
});
