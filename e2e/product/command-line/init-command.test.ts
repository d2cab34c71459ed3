// `gopi-web init` in a terminal, on a machine where nothing is set up.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { callCommand } from "../../fixtures/call-command";
import { doctorScript, doneTurn } from "../../fixtures/doctor-script";
import { archiveEntry, packArchive, serveEngineMirror, wrapBuild } from "../../fixtures/engine-mirror";
import { hubFiles } from "../../fixtures/hub-files";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { findRunningServer, ProductCommand, type ProductEnvironment } from "../../fixtures/server";
import { startBotApiServer } from "../../fixtures/telegram/bot-api-server";
import { writeTinyModel } from "../../fixtures/tiny-model.mjs";
import { hasTerminals, TerminalCommand } from "../../fixtures/terminal-command";

const enter = "\r";
const controlC = "\u0003";

/** Starts it where nothing listens at the usual address of a model server. */
function startInit(place: ProductEnvironment, environment: Readonly<Record<string, string>> = {}): TerminalCommand {
  const init = new TerminalCommand(place, "init", { OLLAMA_HOST: "http://127.0.0.1:1", ...environment });
  onTestFinished(() => init.end());
  return init;
}

test.afterEach(({ place }) => endBackgroundServer(place));

test.runIf(hasTerminals)(
  "sets up a server by its address, its model, and trust, and tests the model",
  async ({ model, place }) => {
    model.setScript({ ...doctorScript([doneTurn]), models: ["m:8b", "n:8b"] });
    writeFileSync(join(place.project, "AGENTS.md"), "Be brief.\n");
    const init = startInit(place);
    await init.until("another server, by its address");
    const [, number = ""] = /(\d+) {2}another server/.exec(init.seen) ?? [];
    await init.until("Enter to skip: ");
    init.type(`${number}${enter}`);
    await init.until("or Enter: ");
    init.type(`127.0.0.1:1${enter}`);
    await init.until("no model server responds at http://127.0.0.1:1");
    await init.until("Enter to skip: ");
    init.type(`${number}${enter}`);
    await init.until("or Enter: ");
    init.type(`${new URL(model.url).host}/v1${enter}`);
    await init.until(`New sessions use Ollama at ${model.url}`);
    await init.until("2  n:8b");
    await init.until("Enter to skip: ");
    init.type(`2${enter}`);
    await init.until("New sessions use n:8b.");
    await init.until("Test n:8b now?");
    await init.until("[y/N] ");
    init.type(`y${enter}`);
    await init.until("n:8b is ");
    await init.until("AGENTS.md: instructions for agents");
    await init.until("[y/N] ");
    const server = findRunningServer(place.home);
    const read = async () => {
      const settings = await callCommand(server, "settings.read", {});
      const { projects } = await callCommand(server, "project.list", {});
      const isTrusted = projects.map(({ trustedAt }) => typeof trustedAt === "number");
      return { host: settings.ollamaHost, model: settings.model, isTrusted };
    };
    expect(await read()).toEqual({ host: model.url, model: "n:8b", isTrusted: [false] });
    init.type(`y${enter}`);
    await init.until("The folder is trusted.");
    expect(await read()).toMatchObject({ isTrusted: [true] });
    await init.until("Enter to skip: ");
    init.type(enter);
    await init.until("gopi-web chat");
    expect(await init.done()).toBe(0);
  },
);

test.runIf(hasTerminals)("Enter skips every step, and Ctrl+C leaves what was chosen", async ({ model, place }) => {
  model.setScript({ models: ["m:8b", "n:8b"] });
  const skipped = startInit(place, { OLLAMA_HOST: model.url });
  for (const question of ["Enter to skip: ", "Enter to skip: ", "[y/N] ", "[y/N] ", "Enter to skip: "]) {
    await skipped.until(question);
    skipped.type(enter);
  }
  expect(await skipped.done()).toBe(0);
  const left = startInit(place, { OLLAMA_HOST: model.url });
  await left.until(`1  Ollama at ${model.url}, 2 models, used now`);
  await left.until("Enter to skip: ");
  left.type(enter);
  await left.until("Enter to skip: ");
  left.type(`n:8b${enter}`);
  await left.until("[y/N] ");
  left.type(controlC);
  await left.until("What you have chosen is kept");
  expect(await left.done()).toBe(130);
  const shown = await new ProductCommand(place, ["config", "get", "ollama.model"]).done();
  expect(shown).toMatchObject({ code: 0, stdout: "n:8b\n" });
});

/** A machine without llama.cpp; `mirror` has a build of it and a model. */
async function offerDownload({ root }: ProductEnvironment) {
  const archive = packArchive({ "llama-b1/llama-server": wrapBuild("/bin/true", 1) });
  const folder = mkdtempSync(join(root, "hub-"));
  writeTinyModel(join(folder, "model"), { answers: [{ text: "Hi." }] });
  const model = readFileSync(join(folder, "model"));
  const files = hubFiles("tiny/Tiny-GGUF", { "Tiny-1B-Q4_K_M.gguf": model });
  const mirror = await serveEngineMirror({ "llama.tar.gz": archive, ...files });
  onTestFinished(() => mirror.close());
  const { platform, arch } = process;
  const build = { platform, arch, kind: "cpu", archives: [archiveEntry("llama.tar.gz", archive)] };
  const suggestion = {
    ...{ name: "Tiny 1B", reference: "hf:tiny/Tiny-GGUF:Q4_K_M", bytes: model.length, kvBytesPerToken: 64 },
    ...{ activeParameters: 1e9, license: "MIT", contextLength: 32_768, capabilities: ["tools"] },
  };
  writeFileSync(join(root, "catalogue.json"), JSON.stringify({ tag: "b1", base: mirror.base, builds: [build] }));
  writeFileSync(join(root, "models.json"), JSON.stringify([suggestion]));
  const environment = {
    PATH: "/usr/bin:/bin",
    GOPI_LLAMA_SERVER: "",
    GOPI_ENGINE_CATALOGUE: join(root, "catalogue.json"),
    GOPI_MODEL_CATALOGUE: join(root, "models.json"),
    HF_ENDPOINT: mirror.base,
  };
  return { mirror, environment };
}

test.runIf(hasTerminals)("Ctrl+C pauses a download, and another init continues it", async ({ place }) => {
  const { mirror, environment } = await offerDownload(place);
  mirror.setHalt(100);
  const first = startInit(place, environment);
  await first.until("1  built-in engine: download Tiny 1B");
  await first.until("Enter to skip: ");
  first.type(`1${enter}`);
  await first.until("Tiny-1B-Q4_K_M: 0 % of");
  first.type(controlC);
  expect(await first.done()).toBe(130);
  mirror.setHalt(null);
  const second = startInit(place, environment);
  await second.until("1  built-in engine: continue the download of Tiny-1B-Q4_K_M");
  await second.until("Enter to skip: ");
  second.type(`1${enter}`);
  await second.until("New sessions use Built-in engine.");
  await second.until("2 of 5: Model");
  expect(mirror.requests.some((request) => request.endsWith(" 100"))).toBe(true);
  expect(await callCommand(findRunningServer(place.home), "settings.read", {})).toMatchObject({ connection: "engine" });
});

test.runIf(hasTerminals)("switches Telegram on and prints the link that pairs a phone", async ({ model, place }) => {
  const bot = await startBotApiServer();
  onTestFinished(() => bot.close());
  const init = startInit(place, { OLLAMA_HOST: model.url });
  await init.until("Enter to skip: ");
  await callCommand(findRunningServer(place.home), "channels.set", { kind: "telegram", apiAddress: bot.address });
  init.type(enter);
  for (const question of ["Enter to skip: ", "[y/N] ", "[y/N] "]) {
    await init.until(question);
    init.type(enter);
  }
  await init.until("Token from @BotFather, or Enter to skip: ");
  init.type(`${bot.token}${enter}`);
  await init.until(`The bot is online as @${bot.username}.`);
  await init.until(`https://t.me/${bot.username}?start=`);
  expect(await init.done()).toBe(0);
});

test("without a terminal it lists what to set, exit 2", async ({ place }) => {
  const { code, stdout, stderr } = await new ProductCommand(place, ["init"]).done();
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("gopi-web config set ollama.host ADDRESS");
});
