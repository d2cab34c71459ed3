/** Messages that are sent while the engine's program is downloaded, or replaced by a newer one. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { archiveEntry, packArchive, wrapBuild, wrapProgram } from "@/e2e/fixtures/engine-mirror";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { engineConnectionId, type EngineState } from "@/lib/models/engine";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { openTinySession, sendPrompt, tinyModelWith } from "@/server/models/integration/test-tiny-session";
import { makeEngine } from "./engine";
import { engineProgram as found, errorCodesOf, nextEvent } from "./test-engine-rig";

const title = found.program === null ? `the engine's program (skipped: ${found.why})` : "the engine's program";

/** Serves one file when `send` was called. */
async function serveLater(file: Buffer) {
  const held = new AbortController();
  const requested = new AbortController();
  const server = createServer((_request, response) => {
    requested.abort();
    held.signal.addEventListener("abort", () => response.end(file));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { base: `http://127.0.0.1:${port}/`, requested: once(requested.signal, "abort"), send: () => held.abort() };
}

/** An engine whose program comes from a mirror, which has `archive` as the release `tag`. */
async function makeInstallRig(tag: string, archive: Buffer) {
  const mirror = await serveLater(archive);
  const rig = await makeModelRig();
  const { access, home, leftovers, settings } = rig;
  const { platform, arch } = process;
  const build = { platform, arch, kind: "cpu", archives: [archiveEntry("llama.tar.gz", archive)] };
  const catalogue = join(home, "catalogue.json");
  writeFileSync(catalogue, JSON.stringify({ tag, base: mirror.base, builds: [build] }));
  const environment: NodeJS.ProcessEnv = {
    NODE_ENV: "test",
    HOME: home,
    PATH: "/usr/bin:/bin",
    GOPI_ENGINE_CATALOGUE: catalogue,
  };
  const waiting = new Set<(state: EngineState) => void>();
  const push = (message: (typeof rig.pushes)[number]): void => {
    if (message.type === "engine") for (const check of waiting) check(message.state);
  };
  const engine = makeEngine({ access, environment, home, leftovers, push, settings: () => settings.current });
  onTestFinished(() => engine.close());
  /** Resolves when such a state is pushed. */
  const until = (matches: (state: EngineState) => boolean): Promise<void> =>
    new Promise((resolve) => waiting.add((state) => matches(state) && resolve()));
  /** Adds a model with these answers, after a look at the program. */
  const add = async (...answers: readonly string[]): Promise<void> => {
    const file = join(home, "tiny.gguf");
    writeTinyModel(file, tinyModelWith(...answers));
    await engine.state();
    expect(await engine.add({ file })).toMatchObject({ ok: true });
  };
  const openSession = () => openTinySession(rig, { name: "tiny", connection: engineConnectionId });
  return { engine, home, mirror, until, add, openSession };
}

const serverOf = (build: number): string => wrapBuild(found.program ?? "", build);

describe.skipIf(found.program === null)(title, () => {
  test("is waited for while it is downloaded, and Stop ends the wait", { timeout: 120_000 }, async () => {
    const archive = packArchive({ "llama-b1/llama-server": wrapProgram(found.program ?? "") });
    const { engine, mirror, add, openSession } = await makeInstallRig("b1", archive);
    await add("It was worth the wait.");
    expect(await engine.install("cpu")).toMatchObject({ ok: true });
    await mirror.requested;

    const [stopped, waiting] = [await openSession(), await openSession()];
    const begun = nextEvent(stopped, ({ type }) => type === "turn_start");
    const first = sendPrompt(stopped, "Hi.");
    await begun;
    await stopped.abort();
    expect(await first).toBe("aborted");

    const second = sendPrompt(waiting, "Hi.");
    mirror.send();
    expect(await second).toBe("done");
    expect([...errorCodesOf(stopped.view), ...errorCodesOf(waiting.view)]).toEqual([]);
  });

  test("answers while a newer one is downloaded, which replaces it between two answers", {
    timeout: 120_000,
  }, async () => {
    const archive = packArchive({ "llama-b20000/llama-server": serverOf(20_000) });
    const { engine, home, mirror, until, add, openSession } = await makeInstallRig("b20000", archive);
    const folder = join(home, "engine", "program");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "llama-server"), serverOf(10_000), { mode: 0o755 });
    const longText = Array.from({ length: 600 }, (_, index) => `line ${index}`).join("\n");
    await add("One.", longText, "Three.");
    expect((await engine.state()).program).toMatchObject({
      version: "10000 (abc)",
      update: { tag: "b20000", builds: [{ kind: "cpu", bytes: archive.length }] },
    });
    expect(await engine.install("cpu")).toMatchObject({ ok: true });
    await mirror.requested;

    const talk = await openSession();
    expect(await sendPrompt(talk, "Hi.")).toBe("done");
    const writing = nextEvent(talk, ({ type }) => type === "message_delta");
    const long = sendPrompt(talk, "Write.");
    await writing;
    const waits = until(({ install }) => install?.status === "waiting");
    const replaced = until(({ program, install }) => program?.version === "20000 (abc)" && install === undefined);
    mirror.send();
    await waits;
    const next = await openSession();
    const [first, second] = await Promise.all([long, sendPrompt(next, "Hi.")]);
    expect([first, second]).toEqual(["done", "done"]);
    await replaced;
    expect([...errorCodesOf(talk.view), ...errorCodesOf(next.view)]).toEqual([]);
    const { program, installFailure } = await engine.state();
    expect(installFailure).toBeUndefined();
    expect(program).toEqual({
      path: join(folder, "llama-b20000", "llama-server"),
      version: "20000 (abc)",
      isInstalled: true,
    });
  });
});
