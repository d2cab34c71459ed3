/** A message that is sent while the engine's program is still being downloaded. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { archiveEntry, packArchive, wrapProgram } from "@/e2e/fixtures/engine-mirror";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { engineConnectionId } from "@/lib/models/engine";
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

describe.skipIf(found.program === null)(title, () => {
  test("is waited for while it is downloaded, and Stop ends the wait", { timeout: 120_000 }, async () => {
    const archive = packArchive({ "llama-b1/llama-server": wrapProgram(found.program ?? "") });
    const mirror = await serveLater(archive);
    const rig = await makeModelRig();
    const { access, home, leftovers, settings } = rig;
    const { platform, arch } = process;
    const build = { platform, arch, kind: "cpu", archives: [archiveEntry("llama.tar.gz", archive)] };
    const catalogue = join(home, "catalogue.json");
    writeFileSync(catalogue, JSON.stringify({ tag: "b1", base: mirror.base, builds: [build] }));
    const environment: NodeJS.ProcessEnv = {
      NODE_ENV: "test",
      HOME: home,
      PATH: "/usr/bin:/bin",
      GOPI_ENGINE_CATALOGUE: catalogue,
    };
    const engine = makeEngine({ access, environment, home, leftovers, push() {}, settings: () => settings.current });
    onTestFinished(() => engine.close());
    const file = join(home, "tiny.gguf");
    writeTinyModel(file, tinyModelWith("It was worth the wait."));
    await engine.state();
    expect(await engine.add({ file })).toMatchObject({ ok: true });
    expect(await engine.install("cpu")).toMatchObject({ ok: true });
    await mirror.requested;

    const [stopped, waiting] = [
      await openTinySession(rig, { name: "tiny", connection: engineConnectionId }),
      await openTinySession(rig, { name: "tiny", connection: engineConnectionId }),
    ];
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
});
