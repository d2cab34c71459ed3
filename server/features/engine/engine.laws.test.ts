/** Sessions over the built-in engine: a real process with tiny models, as a user of the product has it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { engineConnectionId } from "@/lib/models/engine";
import { lawCases } from "@/lib/testing/law-runs";
import { pathEntries } from "@/lib/view/view";
import { answersOf, copyNotesOutputs, sendPrompt, tinyModelWith } from "@/server/models/integration/test-tiny-session";
import { makeEngine } from "./engine";
import { engineProgram as found, errorCodesOf, makeEngineRig as makeRig, nextEvent } from "./test-engine-rig";

const title = found.program === null ? `the built-in engine (skipped: ${found.why})` : "the built-in engine";
const timeout = 300_000;

/** The statuses of the engine in turn. A state is also pushed for other reasons, with the same status. */
const statusChanges = (pushes: Awaited<ReturnType<typeof makeRig>>["rig"]["pushes"]): readonly string[] =>
  pushes
    .flatMap((push) => (push.type === "engine" ? [push.state.run.status] : []))
    .filter((status, index, all) => status !== all[index - 1]);

describe.skipIf(found.program === null)(title, () => {
  test.each(lawCases(["native", "react", "xml"] as const))(
    "completes a task with calls made as %s",
    { timeout },
    async (mode) => {
      const { rig, add, session } = await makeRig();
      await add("tiny", tinyModelWith(...copyNotesOutputs[mode]));
      const job = await session("tiny", { toolMode: mode });
      writeFileSync(join(rig.root, "notes.txt"), "a line\n");
      expect(await sendPrompt(job, "Copy the notes.")).toBe("done");
      expect(readFileSync(join(rig.root, "copy.txt"), "utf8").trim()).toBe("the copied line");
      expect(errorCodesOf(job.view)).toEqual([]);
    },
  );

  test("is a connection while there are models, and survives a restart of the program", { timeout }, async () => {
    const { rig, engine, add, file } = await makeRig();
    const ids = (): readonly string[] => rig.access.connections.list().map(({ id }) => id);
    expect(ids()).not.toContain(engineConnectionId);
    await add("one", tinyModelWith("Hello."));
    expect(ids()).toContain(engineConnectionId);
    expect(await engine.add({ file: file("one", tinyModelWith("Hello.")) })).toMatchObject({
      error: { code: "exists" },
    });
    const environment: NodeJS.ProcessEnv = {
      NODE_ENV: "test",
      HOME: rig.home,
      GOPI_LLAMA_SERVER: found.program ?? "",
    };
    const { access, home, leftovers, settings } = rig;
    const again = makeEngine({ access, environment, home, leftovers, push() {}, settings: () => settings.current });
    onTestFinished(() => again.close());
    await again.open();
    const state = await again.state();
    expect(state.program).toMatchObject({ path: found.program });
    expect(state.models).toMatchObject([{ name: "one", info: { contextLength: 32_768 } }]);
    expect(await again.remove("other")).toMatchObject({ error: { code: "not_found" } });
    expect(await again.remove("one")).toMatchObject({ ok: true, value: { models: [] } });
    expect(ids()).not.toContain(engineConnectionId);
    expect(rig.access.connections.remove(engineConnectionId)).toMatchObject({ error: { code: "not_allowed" } });
  });

  test("two conversations keep their prefixes while they alternate, by the server's own count", {
    timeout,
  }, async () => {
    const { add, session } = await makeRig();
    await add(
      "tiny",
      tinyModelWith("The first answer.", "The second one.", "A third.", "A fourth.", "A fifth.", "A sixth."),
    );
    const sessions = [await session("tiny", { numCtx: 32_768 }), await session("tiny", { numCtx: 32_768 })];
    // Also while they share most of their tokens, the system text.
    const own = (index: number): string => `Text ${index} of its own. `.repeat(50);
    for (const [index, one] of sessions.entries()) expect(await sendPrompt(one, own(index))).toBe("done");
    for (const turn of ["Two", "Three", "Four", "Five", "Six"])
      for (const [index, one] of sessions.entries()) expect(await sendPrompt(one, `${turn} of ${index}.`)).toBe("done");
    for (const one of sessions) {
      const usages = answersOf(one.view).map(({ usage }) => usage);
      for (const [index, usage] of usages.entries()) {
        const before = usages[index - 1];
        if (before !== undefined) expect(usage?.cachedTokens).toBeGreaterThanOrEqual((before.promptTokens ?? 0) * 0.98);
      }
    }
  });

  test("the progress of reading a long prompt is reported by exact counts", { timeout }, async () => {
    const { add, session } = await makeRig();
    await add("tiny", tinyModelWith("It was long.", "Still."));
    const talk = await session("tiny", { toolMode: "react", numCtx: 32_768 });
    const readings: { readonly read: number; readonly tokens: number }[] = [];
    talk.subscribe(({ event }) => {
      if (event.type !== "phase" || event.read === undefined) return;
      expect(event.phase).toBe("reading");
      readings.push({ read: event.read, tokens: event.tokens ?? 0 });
    });
    expect(await sendPrompt(talk, "A line of the text. ".repeat(400))).toBe("done");
    const counts = readings.map(({ read }) => read);
    expect(counts.length).toBeGreaterThan(4);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    const usage = answersOf(talk.view)[0]?.usage;
    for (const { tokens } of readings) expect(tokens).toBe((usage?.promptTokens ?? 0) - (usage?.cachedTokens ?? 0));
    expect(counts.at(-1)).toBeLessThanOrEqual(readings[0]?.tokens ?? 0);
    readings.length = 0;
    expect(await sendPrompt(talk, "And now?")).toBe("done");
    // Only what is new is read.
    for (const { tokens } of readings) expect(tokens).toBeLessThan(200);
  });

  test("Stop while it reads and while it writes ends the work, and the next request is served", {
    timeout,
  }, async () => {
    const { add, session } = await makeRig();
    const long = Array.from({ length: 2_000 }, (_, number) => `line ${number}`).join("\n");
    await add("tiny", { answers: [{ text: long }, { text: long }, { text: "Served." }] });
    const talk = await session("tiny", { toolMode: "react", numCtx: 32_768 });
    const reading = nextEvent(talk, (event) => event.type === "phase" && (event.read ?? 0) > 0);
    const first = sendPrompt(talk, "A line of the text. ".repeat(400));
    await reading;
    await talk.abort();
    expect(await first).toBe("aborted");

    const writing = nextEvent(talk, ({ type }) => type === "message_delta");
    const second = sendPrompt(talk, "Again.");
    await writing;
    await talk.abort();
    expect(await second).toBe("aborted");

    const other = await session("tiny", { toolMode: "react", numCtx: 32_768 });
    expect(await sendPrompt(other, "Hello.")).toBe("done");
  });

  test("a session's window is that of its process; another one loads again", { timeout }, async () => {
    const { rig, engine, add, session } = await makeRig();
    await add("tiny", tinyModelWith("Hello.", "Again."));
    const device = expect.objectContaining({ cards: expect.any(Array) });
    expect(await sendPrompt(await session("tiny", { numCtx: 4_096 }), "Hi.")).toBe("done");
    expect((await engine.state()).run).toEqual({ status: "ready", model: "tiny", window: 4_096, device });
    const larger = await session("tiny", { numCtx: 8_192 });
    expect(await sendPrompt(larger, "Hi.")).toBe("done");
    expect((await engine.state()).run).toEqual({ status: "ready", model: "tiny", window: 8_192, device });
    expect(answersOf(larger.view)[0]?.usage?.loadMs).toBeGreaterThan(0);
    expect(await sendPrompt(larger, "Hi again.")).toBe("done");
    expect(answersOf(larger.view)[1]?.usage?.loadMs).toBe(0);
    expect(statusChanges(rig.pushes).filter((status) => status === "loading")).toHaveLength(2);
    await engine.unload();
    expect((await engine.state()).run).toEqual({ status: "stopped" });
  });

  test.each([
    ["the setting", { keepAliveMinutes: 0 }, {}],
    ["the model's own option", {}, { keepAliveMinutes: 0 }],
  ] as const)(
    "the memory is released after the time of %s, and the list shows it",
    { timeout },
    async (_name, setting, option) => {
      const { rig, engine, add, session } = await makeRig();
      await add("tiny", tinyModelWith("Hello.", "Again."));
      rig.settings.current = { ...rig.settings.current, ...setting };
      const key = rig.access.servers.get(engineConnectionId)?.keyOf("tiny");
      if (key === undefined) throw new Error("no engine");
      expect(await rig.access.models.known.saveUserSettings(key, option)).toMatchObject({ ok: true });
      const talk = await session("tiny");
      expect(await sendPrompt(talk, "Hi.")).toBe("done");
      await eventually(() => expect(statusChanges(rig.pushes).slice(-3)).toEqual(["loading", "ready", "stopped"]));
      expect((await engine.state()).run).toEqual({ status: "stopped" });
      expect(await sendPrompt(talk, "Hi again.")).toBe("done");
      expect(answersOf(talk.view)[1]?.usage?.loadMs).toBeGreaterThan(0);
    },
  );

  test("a model is loaded beforehand, but not while another one answers", { timeout }, async () => {
    const { engine, add, session } = await makeRig();
    const long = Array.from({ length: 2_000 }, (_, number) => `line ${number}`).join("\n");
    await add("tiny", tinyModelWith(long));
    await add("other", tinyModelWith("Hello."));
    expect(await engine.load("none")).toMatchObject({ error: { code: "not_found" } });
    expect(await engine.load("tiny")).toMatchObject({ ok: true });
    await eventually(async () => expect((await engine.state()).run).toMatchObject({ status: "ready", model: "tiny" }));
    const talk = await session("tiny");
    const writing = new Promise<void>((resolve) => {
      talk.subscribe(({ event }) => event.type === "message_delta" && resolve());
    });
    const answered = sendPrompt(talk, "Hi.");
    await writing;
    expect(await engine.load("other")).toMatchObject({ error: { code: "busy" } });
    expect(await answered).toBe("done");
    // It was loaded with the session's window.
    expect(answersOf(talk.view)[0]?.usage?.loadMs).toBe(0);
    expect(await engine.load("other")).toMatchObject({ ok: true });
  });

  test.each(lawCases([4_096, 8_192, 16_384]))(
    "with a window of %i tokens a long conversation is compacted, never refused",
    { timeout },
    async (window) => {
      const { add, session } = await makeRig();
      const long = Array.from({ length: 20 }, (_, at) => `Point ${at * 11} names part ${at * 17}.`).join(" ");
      await add("tiny", { answers: [], otherwise: "The point was noted." });
      const talk = await session("tiny", { toolMode: "react", numCtx: window });
      for (let turn = 0; turn < window / 512; turn += 1)
        expect(await sendPrompt(talk, `${turn}: ${long}`)).toBe("done");
      expect(pathEntries(talk.view).map(({ kind }) => kind)).toContain("compaction");
      const refusals = pathEntries(talk.view).filter((entry) => entry.kind === "retry");
      expect(refusals.length).toBeLessThanOrEqual(1);
      expect(errorCodesOf(talk.view)).toEqual([]);
    },
  );

  test("a model whose file was damaged since is reported with the reason", { timeout }, async () => {
    const { rig, add, session, engine } = await makeRig();
    await add("tiny", tinyModelWith("Hello."));
    const talk = await session("tiny");
    writeFileSync(join(rig.home, "tiny.gguf"), "no model");
    await sendPrompt(talk, "Hi.");
    expect(errorCodesOf(talk.view)).toEqual(["model_file_broken"]);
    expect((await engine.state()).models).toMatchObject([{ name: "tiny", error: { code: "model_file_broken" } }]);
    rmSync(join(rig.home, "tiny.gguf"));
    expect((await engine.state()).models).toMatchObject([{ name: "tiny", error: { code: "not_found" } }]);
  });

  test("finds the models of Ollama and LM Studio, and uses them in place", { timeout }, async () => {
    const { rig, engine, file, session } = await makeRig();
    const blob = `sha256-${"a".repeat(64)}`;
    const models = join(rig.home, ".ollama", "models");
    const manifest = join(models, "manifests", "registry.ollama.ai", "library", "tiny");
    for (const folder of [join(models, "blobs"), manifest, join(rig.home, ".lmstudio", "models", "me", "two")])
      mkdirSync(folder, { recursive: true });
    writeTinyModel(join(models, "blobs", blob), tinyModelWith("From Ollama."));
    const layer = { mediaType: "application/vnd.ollama.image.model", digest: blob.replace("-", ":") };
    writeFileSync(join(manifest, "1b"), JSON.stringify({ layers: [layer] }));
    writeFileSync(join(manifest, "broken"), "{");
    const lmStudio = join(rig.home, ".lmstudio", "models", "me", "two");
    writeTinyModel(join(lmStudio, "Two-Q4_K_M.gguf"), tinyModelWith("Two."));
    writeFileSync(join(lmStudio, "mmproj-Two-F16.gguf"), readFileSync(file("any", tinyModelWith("."))));
    const there = await engine.find();
    expect(there).toMatchObject([
      { name: "Two-Q4_K_M", from: "lmstudio", projector: join(lmStudio, "mmproj-Two-F16.gguf") },
      { name: "tiny:1b", from: "ollama", file: join(models, "blobs", blob), fit: "fits" },
    ]);
    const added = await engine.add({ file: join(models, "blobs", blob), name: "tiny:1b" });
    expect(added).toMatchObject({ ok: true });
    expect((await engine.find()).map(({ name }) => name)).toEqual(["Two-Q4_K_M"]);
    const talk = await session("tiny:1b");
    expect(await sendPrompt(talk, "Hi.")).toBe("done");
    expect(JSON.stringify(answersOf(talk.view))).toContain("From Ollama.");
  });
});

test("another chosen program is used from the next look on, and a missing one is reported instead of an offer", async () => {
  const { rig } = await makeRig();
  const { access, home, leftovers } = rig;
  const put = (name: string): string => {
    const path = join(rig.home, name);
    writeFileSync(path, `#!/bin/sh\necho "version: ${name}"\n`, { mode: 0o755 });
    return path;
  };
  const environment: NodeJS.ProcessEnv = { NODE_ENV: "test", HOME: rig.home, PATH: "/nowhere" };
  let settings = { ...rig.settings.current, engineProgram: put("first") };
  const engine = makeEngine({ access, environment, home, leftovers, push() {}, settings: () => settings });
  onTestFinished(() => engine.close());
  expect(await engine.state()).toMatchObject({ program: { version: "first" } });
  settings = { ...settings, engineProgram: put("second"), modelHub: "https://hub.example/" };
  expect(await engine.state()).toMatchObject({ program: { version: "second" }, hub: "hub.example" });
  settings = { ...settings, engineProgram: join(rig.home, "none") };
  const state = await engine.state();
  expect(state).toMatchObject({ program: null, problem: { code: "engine_missing" } });
  expect(state.offer).toBeUndefined();
  settings = { ...settings, engineProgram: "", engineMirror: "http://127.0.0.1:1/releases" };
  expect((await engine.state()).offer?.from ?? "127.0.0.1:1").toBe("127.0.0.1:1");
});

test("without a program, or with one that does not run, the reason is reported", async () => {
  const { rig } = await makeRig();
  const { access, home, leftovers, settings } = rig;
  const stateWith = async (program: string) => {
    const environment: NodeJS.ProcessEnv = {
      NODE_ENV: "test",
      HOME: rig.home,
      PATH: "/nowhere",
      GOPI_LLAMA_SERVER: program,
    };
    const engine = makeEngine({ access, environment, home, leftovers, push() {}, settings: () => settings.current });
    onTestFinished(() => engine.close());
    return engine.state();
  };
  expect(await stateWith("/nowhere/llama-server")).toMatchObject({ program: null });
  const old = join(rig.home, "llama-server");
  writeFileSync(
    old,
    "#!/bin/sh\necho \"/lib/libc.so.6: version 'GLIBC_2.99' not found (required by $0)\" >&2\nexit 1\n",
    {
      mode: 0o755,
    },
  );
  expect(await stateWith(old)).toMatchObject({ program: null, problem: { code: "engine_incompatible" } });
});
