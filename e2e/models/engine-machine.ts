/** Machines without a model server, for tests of the built-in engine: with llama.cpp, or with a mirror that has it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import {
  archiveEntry,
  type EngineMirror,
  packArchive,
  serveEngineMirror,
  wrapProgram,
} from "../fixtures/engine-mirror";
import { findLlamaServer } from "../fixtures/find-llama-server";
import { hubFiles } from "../fixtures/hub-files";
import { type ProductEnvironment, startProductServer, type TestServer } from "../fixtures/server";
import { test as base } from "../fixtures/test";
import { type TinyModel, writeTinyModel } from "../fixtures/tiny-model.mjs";

export const found = await findLlamaServer();

const call = (name: string, input: object): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`;
/** Edits `price.js`. */
export const editModel: TinyModel = {
  answers: [
    { text: call("edit", { path: "price.js", old_string: "0.19", new_string: "0.21" }) },
    { text: "The tax is 21 % now." },
  ],
};

/** Puts a model where Ollama stores the ones it has downloaded; returns its file. */
export function writeOllamaModel({ root }: ProductEnvironment, name: string, model: TinyModel): string {
  const blob = `sha256-${"a".repeat(64)}`;
  const models = join(root, ".ollama", "models");
  const manifests = join(models, "manifests", "registry.ollama.ai", "library", name);
  mkdirSync(join(models, "blobs"), { recursive: true });
  mkdirSync(manifests, { recursive: true });
  writeTinyModel(join(models, "blobs", blob), model);
  const layers = [{ mediaType: "application/vnd.ollama.image.model", digest: blob.replace("-", ":") }];
  writeFileSync(join(manifests, "1b"), JSON.stringify({ layers }));
  return join(models, "blobs", blob);
}

interface Programs {
  /** llama.cpp's server of the machine. */
  readonly program: string;
  /** Commands of a shell script that precede it; empty = it is run itself. */
  readonly before: string;
  readonly server: TestServer;
}

/** Runs `commands` when a model is loaded, before the program. */
const wrapProgramWith = (program: string, commands: string): string =>
  `#!/bin/sh\ncase "$*" in *--jinja*)\n${commands}\n;; esac\nexec "${program}" "$@"\n`;

/** Ollama has downloaded a model. */
export const test = base.extend<Programs>({
  hasOwnServer: true,
  opensPage: false,
  program: [found.program ?? "", { option: true }],
  before: ["", { option: true }],
  server: async ({ place, program, before, model }, use) => {
    // The machine has no other model server.
    await model.close();
    writeOllamaModel(place, "tiny", editModel);
    const wrapped = join(place.root, "llama-server");
    if (before !== "") writeFileSync(wrapped, wrapProgramWith(program, before), { mode: 0o755 });
    const server = await startProductServer({
      ...place,
      environment: { ...place.environment, GOPI_LLAMA_SERVER: before === "" ? program : wrapped },
    });
    await use(server);
    await server.kill("SIGTERM");
  },
});

const tinySuggestion = {
  name: "Tiny 1B",
  reference: "hf:tiny/Tiny-GGUF:Q4_K_M",
  bytes: 1_500_000,
  kvBytesPerToken: 64,
  activeParameters: 1e9,
  license: "MIT",
  contextLength: 32_768,
  capabilities: ["tools"],
};

/** The model that a new machine downloads. */
function packModel(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "gopi-hub-"));
  writeTinyModel(join(folder, "model"), editModel);
  const model = readFileSync(join(folder, "model"));
  rmSync(folder, { recursive: true });
  return model;
}

interface Downloads {
  /** Release that the catalogue names. */
  readonly tag: string;
  /** The archive that the catalogue names. */
  readonly archive: Buffer;
  /** Bytes that the mirror sends instead of it; null = the archive. */
  readonly sent: Buffer | null;
  /** Bytes of the model at the hub. */
  readonly hubModel: Buffer;
  /** Name under which the mirror has it. */
  readonly servedName: string;
  /** Size of the archive in the catalogue, bytes; 0 = its own. */
  readonly archiveBytes: number;
  /** false = nothing listens at the mirror's address. */
  readonly isReachable: boolean;
  readonly mirror: EngineMirror;
}

/** The machine has no llama.cpp; a mirror has it and a model. */
export const downloadTest = test.extend<Downloads>({
  tag: ["b1", { option: true }],
  archive: [packArchive({ "llama-b1/llama-server": wrapProgram(found.program ?? "") }), { option: true }],
  sent: [null, { option: true }],
  hubModel: [packModel(), { option: true }],
  servedName: ["llama.tar.gz", { option: true }],
  archiveBytes: [0, { option: true }],
  isReachable: [true, { option: true }],
  mirror: async ({ archive, sent, hubModel, servedName, isReachable }, use) => {
    const models = hubFiles("tiny/Tiny-GGUF", { "Tiny-1B-Q4_K_M.gguf": hubModel });
    const mirror = await serveEngineMirror({ [servedName]: sent ?? archive, ...models });
    if (!isReachable) await mirror.close();
    await use(mirror);
    await mirror.close();
  },
  server: async ({ place, tag, archive, archiveBytes, mirror, model }, use) => {
    await model.close();
    writeOllamaModel(place, "tiny", editModel);
    const catalogue = join(place.root, "catalogue.json");
    const { platform, arch } = process;
    const entry = archiveEntry("llama.tar.gz", archive);
    const archives = [archiveBytes === 0 ? entry : { ...entry, bytes: archiveBytes }];
    const build = { platform, arch, kind: "cpu", archives };
    writeFileSync(catalogue, JSON.stringify({ tag, base: mirror.base, builds: [build] }));
    const models = join(place.root, "models.json");
    writeFileSync(models, JSON.stringify([tinySuggestion]));
    const folders = (place.environment.PATH ?? "").split(delimiter);
    const PATH = folders.filter((folder) => !existsSync(join(folder, "llama-server"))).join(delimiter);
    const server = await startProductServer({
      ...place,
      environment: {
        ...place.environment,
        PATH,
        GOPI_LLAMA_SERVER: "",
        GOPI_ENGINE_CATALOGUE: catalogue,
        GOPI_MODEL_CATALOGUE: models,
        HF_ENDPOINT: mirror.base,
      },
    });
    await use(server);
    await server.kill("SIGTERM");
  },
});
