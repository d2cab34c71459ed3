/** Stops, failures and changes of models in whole sessions over the built-in engine. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { engineConnectionId } from "@/lib/models/engine";
import { sendSignal } from "@/server/base/run-process";
import type { ModelRig } from "@/server/models/integration/test-model-rig";
import { answersOf, nextCommandId, sendPrompt, tinyModelWith } from "@/server/models/integration/test-tiny-session";
import { findMarkedPids } from "./host/test-tiny-engine";
import { errorCodesOf, makeEngineRig, nextEvent } from "./test-engine-rig";

const found = await findLlamaServer();
const program = found.program ?? "";
const title = found.program === null ? `failures of the engine (skipped: ${found.why})` : "failures of the engine";
const timeout = 300_000;
const longText = Array.from({ length: 600 }, (_, index) => `line ${index}`).join("\n");

const options = { toolMode: "react", numCtx: 32_768 } as const;

const retryCodesOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "retry" ? [entry.error.code] : []));

describe.skipIf(found.program === null)(title, () => {
  test("Stop while it reads 8,000 tokens ends the reading, and the next request is served", { timeout }, async () => {
    const { add, session } = await makeEngineRig(program);
    await add("tiny", tinyModelWith("Read.", "Served."));
    const [talk, other] = [await session("tiny", options), await session("tiny", options)];
    const reading = nextEvent(talk, (event) => event.type === "phase" && (event.read ?? 0) > 0);
    const first = sendPrompt(talk, "A line of the text. ".repeat(500));
    await reading;
    await talk.abort();
    expect(await first).toBe("aborted");
    expect(await sendPrompt(other, "Hello.")).toBe("done");

    // A prompt that was read to its end would be in the cache now.
    expect(await sendPrompt(talk, "Go on.")).toBe("done");
    const usage = answersOf(talk.view).at(-1)?.usage;
    expect(usage?.promptTokens).toBeGreaterThan(10_000);
    expect(usage?.cachedTokens).toBeLessThan(8_000);
  });

  test("Unload while it writes ends the run, and the model is not loaded again", { timeout }, async () => {
    const { engine, add, session } = await makeEngineRig(program);
    await add("tiny", tinyModelWith(longText, "Again."));
    const talk = await session("tiny", options);
    const writing = nextEvent(talk, ({ type }) => type === "message_delta");
    const done = sendPrompt(talk, "Write.");
    await writing;
    await engine.unload();
    expect(await done).toBe("error");
    expect(errorCodesOf(talk.view)).toEqual(["aborted"]);
    expect(retryCodesOf(talk.view)).toEqual([]);
    expect((await engine.state()).run).toEqual({ status: "stopped" });
    expect(await sendPrompt(talk, "Hello.")).toBe("done");
  });

  test("Unload while it loads ends the run, too", { timeout }, async () => {
    const { engine, add, session } = await makeEngineRig(program);
    await add("tiny", tinyModelWith("One.", "Again."));
    const talk = await session("tiny", options);
    const loading = nextEvent(talk, (event) => event.type === "phase" && event.phase === "loading");
    const done = sendPrompt(talk, "Write.");
    await loading;
    await engine.unload();
    expect(await done).toBe("error");
    expect((await engine.state()).run).toEqual({ status: "stopped" });
    expect(await sendPrompt(talk, "Hello.")).toBe("done");
  });

  test("Stop while it loads, then another model at once", { timeout }, async () => {
    const { engine, add, session } = await makeEngineRig(program);
    await add("one", tinyModelWith("One.", "One again."));
    await add("two", tinyModelWith("Two.", "Two again."));
    const talk = await session("one", options);
    for (const name of ["two", "one", "two"]) {
      await engine.unload();
      const loading = nextEvent(talk, (event) => event.type === "phase" && event.phase === "loading");
      const stopped = sendPrompt(talk, "Hello.");
      await loading;
      await talk.abort();
      expect(await stopped).toBe("aborted");
      expect(talk.changeModel({ name, connection: engineConnectionId, ...options }, nextCommandId()).ok).toBe(true);
      expect(await sendPrompt(talk, "Hello.")).toBe("done");
      expect((await engine.state()).run).toMatchObject({ status: "ready", model: name });
    }
    expect(errorCodesOf(talk.view)).toEqual([]);
  });

  test("sessions with different windows and models at once are all answered", { timeout }, async () => {
    const { engine, add, session } = await makeEngineRig(program);
    await add("one", tinyModelWith("One.", "Two.", "Three."));
    await add("other", tinyModelWith("Other one.", "Other two.", "Other three."));
    const talks = await Promise.all([
      session("one", { toolMode: "react", numCtx: 8_192 }),
      session("one", { toolMode: "react", numCtx: 16_384 }),
      session("other", { toolMode: "react", numCtx: 8_192 }),
    ]);
    for (let turn = 0; turn < 3; turn += 1)
      expect(await Promise.all(talks.map((talk) => sendPrompt(talk, `Turn ${turn}.`)))).toEqual([
        "done",
        "done",
        "done",
      ]);
    for (const talk of talks) expect(errorCodesOf(talk.view)).toEqual([]);
    expect(talks.map((talk) => answersOf(talk.view).length)).toEqual([3, 3, 3]);
    expect((await engine.state()).run.status).toBe("ready");
  });

  test("a model too large for the memory is reported, and another one answers then", { timeout }, async () => {
    const limited = writeLimitedProgram();
    const { add, session } = await makeEngineRig(limited);
    await add("large", { ...tinyModelWith("Large."), context: 1_048_576 });
    await add("small", tinyModelWith("Small."));
    const talk = await session("large", { toolMode: "react", numCtx: 1_048_576 });
    expect(await sendPrompt(talk, "Hello.")).toBe("error");
    expect(errorCodesOf(talk.view)).toEqual(["out_of_memory"]);
    expect(talk.changeModel({ name: "small", connection: engineConnectionId, ...options }, nextCommandId()).ok).toBe(
      true,
    );
    expect(await sendPrompt(talk, "Hello.")).toBe("done");
  });

  test.each([
    ["cut", (path: string) => truncateSync(path, 200_000), "model_file_broken"],
    ["deleted", rmSync, "model_missing"],
  ] as const)(
    "a model whose file was %s is reported, and another one answers then",
    { timeout },
    async (_, change, code) => {
      const { rig, add, session } = await makeEngineRig(program);
      await add("broken", tinyModelWith("Broken."));
      await add("sound", tinyModelWith("Sound."));
      change(join(rig.home, "broken.gguf"));
      const talk = await session("broken", options);
      expect(await sendPrompt(talk, "Hello.")).toBe("error");
      expect(errorCodesOf(talk.view)).toEqual([code]);
      expect(talk.changeModel({ name: "sound", connection: engineConnectionId, ...options }, nextCommandId()).ok).toBe(
        true,
      );
      expect(await sendPrompt(talk, "Hello.")).toBe("done");
    },
  );

  test("a program that was moved since it was found is found again", { timeout }, async () => {
    const { folder, put } = makeProgramFolders();
    const before = put("one", startProgram);
    const { add, session } = await makeEngineRig("", { PATH: `${folder}/one:${folder}/two:${process.env.PATH}` });
    await add("tiny", tinyModelWith("Hello.", "Again."));
    const talk = await session("tiny", { toolMode: "react", numCtx: 4_096 });
    expect(await sendPrompt(talk, "Hi.")).toBe("done");
    rmSync(before);
    put("two", startProgram);
    const other = await session("tiny", { toolMode: "react", numCtx: 8_192 });
    expect(await sendPrompt(other, "Hi.")).toBe("done");
  });

  test("the options of a program that was updated since it was found are read again after a failure", {
    timeout,
  }, async () => {
    const { put } = makeProgramFolders();
    const path = put("one", startProgram);
    const { add, session } = await makeEngineRig(path);
    await add("tiny", tinyModelWith("Hello.", "Again."));
    const talk = await session("tiny", { toolMode: "react", numCtx: 4_096 });
    expect(await sendPrompt(talk, "Hi.")).toBe("done");
    // The new version lacks an option.
    put(
      "one",
      `case "$*" in *--no-slots*) echo "error: invalid argument: --no-slots" >&2; exit 1;; esac
case "$*" in *--help*) "${program}" "$@" | grep -v -- --no-slots; exit;; esac
${startProgram}`,
    );
    const other = await session("tiny", { toolMode: "react", numCtx: 8_192 });
    expect(await sendPrompt(other, "Hi.")).toBe("error");
    expect(errorCodesOf(other.view)).toEqual(["engine_ended"]);
    expect(await sendPrompt(other, "Hi again.")).toBe("done");
  });

  test.runIf(process.platform === "linux").each([
    [1, "done", ["out_of_memory"], []],
    [2, "error", ["out_of_memory"], ["out_of_memory"]],
  ] as const)(
    "after %i times kill -9 in mid-answer the run ends as %s",
    { timeout },
    async (kills, end, retries, ends) => {
      const { rig, add, session } = await makeEngineRig(program);
      await add("tiny", tinyModelWith(longText, "Again.", "Once more."));
      const talk = await session("tiny", options);
      let left: number = kills;
      const leave = talk.subscribe(({ event }) => {
        const isWriting = event.type === "phase" && event.phase === "writing";
        if (isWriting && left > 0) void killEngine(rig);
        if (isWriting) left -= 1;
      });
      expect(await sendPrompt(talk, "Write.")).toBe(end);
      leave();
      expect(retryCodesOf(talk.view)).toEqual(retries);
      expect(errorCodesOf(talk.view)).toEqual(ends);
      expect(await sendPrompt(talk, "Hello.")).toBe("done");
    },
  );
});

/** The processes of this home's engine are killed, like by the system when memory runs out. */
async function killEngine({ home }: Pick<ModelRig, "home">): Promise<void> {
  const folder = join(home, "leftovers");
  const markers = readdirSync(folder).map((name): { readonly marker?: string } =>
    JSON.parse(readFileSync(join(folder, name), "utf8")),
  );
  for (const pid of await findMarkedPids(markers.flatMap(({ marker = "" }) => (marker === "" ? [] : [marker]))))
    sendSignal(pid, "SIGKILL");
}

const startProgram = `exec "${program}" "$@"`;

/** `put` writes a program that runs the commands into a folder below `folder`, and returns its path. */
function makeProgramFolders() {
  const folder = mkdtempSync(join(tmpdir(), "gopi-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string, commands: string): string => {
    mkdirSync(join(folder, name), { recursive: true });
    const path = join(folder, name, "llama-server");
    writeFileSync(path, `#!/bin/sh\n${commands}\n`, { mode: 0o755 });
    return path;
  };
  return { folder, put };
}

/** Writes a program that runs llama-server with at most 800 MB of address space. */
function writeLimitedProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), "gopi-limited-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "llama-server");
  writeFileSync(path, `#!/bin/sh\nulimit -v 800000\nexec "${program}" "$@"\n`, { mode: 0o755 });
  return path;
}
