/** Models that can be downloaded: those that suit this machine, and the downloads. Its code is loaded when it is needed. */
import { totalmem } from "node:os";
import { fail, ok, type Result } from "@/lib/events/error";
import type { EngineMemory, EngineState, ForeignModel, ModelPreview } from "@/lib/models/engine";
import type { EngineProgram } from "../host/engine-process";
import type { ForeignFile } from "../models/foreign-models";
import { type EngineModelList, type ListedModel, partsOf } from "../models/model-list";
import type { DownloadedModel, ModelDownloads } from "./model-downloads";
import { type ModelReference, parseModelReference } from "./model-reference";
import type { CatalogueModel } from "./suggest-models";

export interface ModelLibrary {
  /** Reads the memory of this machine; `program` null = there is no engine yet. */
  look(program: EngineProgram | null): Promise<void>;
  /** Reads the catalogue, and the downloads that were not finished. */
  load(): Promise<void>;
  /** `models` = those in the list, with their notes; how they suit the memory is added once the catalogue was read. */
  state(
    models: readonly ListedModel[],
  ): Pick<EngineState, "models" | "suggestions" | "downloads" | "hub" | "hubProblem" | "memory">;
  /** Fails with bad_input if the text names no model, and as `ModelDownloads.start`. */
  download(name: string): Promise<Result<null>>;
  /** Fails with bad_input if the text names no model, and as `hubAddress` and `previewModel`. */
  preview(name: string): Promise<Result<ModelPreview>>;
  /** Adds how models of other programs suit the memory. */
  measure(files: readonly ForeignFile[]): Promise<readonly ForeignModel[]>;
  pause(reference: string): Promise<Result<null>>;
  cancel(reference: string): Promise<Result<null>>;
  close(): Promise<void>;
}

interface LibraryOptions {
  /** Absolute folder of the engine. */
  readonly folder: string;
  readonly environment: NodeJS.Dict<string>;
  /** Address of Hugging Face or a mirror, without a slash at its end. Fails as `hubAddress`. */
  hub(): Result<string>;
  readonly list: EngineModelList;
  onChange(): void;
  /** A downloaded model is in the list. */
  added(): void;
}

export function makeModelLibrary({ folder, environment, hub, list, onChange, added }: LibraryOptions): ModelLibrary {
  const closing = new AbortController();
  let memory: EngineMemory = { ram: totalmem(), graphics: 0, isShared: false };
  let judge: ((models: readonly ListedModel[]) => Pick<EngineState, "models" | "suggestions">) | null = null;
  let downloads: ModelDownloads | null = null;

  const finished = async ({ name, ...files }: DownloadedModel): Promise<Result<unknown>> => {
    // Added by an earlier process that was killed before it removed the download.
    if (isListed(files.file)) return ok(null);
    const result = await list.addUnderFreeName({ ...files, name });
    if (result.ok) added();
    return result;
  };
  const isListed = (file: string): boolean =>
    list.models().some((model) => model.projector === file || partsOf(model.file).includes(file));
  const open = async (): Promise<ModelDownloads> => {
    const { makeModelDownloads } = await import("./model-downloads");
    downloads ??= makeModelDownloads({ folder, hub, isListed, room: list.room, onChange, finished });
    await downloads.load();
    return downloads;
  };
  return {
    async look(program) {
      const { readEngineMemory } = await import("../program/engine-memory");
      memory = await readEngineMemory(program, environment, closing.signal);
    },
    async load() {
      const { loadModelCatalogue } = await import("./suggest-models");
      const { judgeModels } = await import("./judged-suggestions");
      const catalogue = await loadModelCatalogue(environment).catch((): readonly CatalogueModel[] => []);
      judge = (models) => judgeModels(models, catalogue, memory);
      await open();
    },
    state: (models) => ({
      ...hubState(hub()),
      memory,
      ...(judge?.(models) ?? {
        models: models.map(({ shape: _shape, traits: _traits, ...model }) => model),
        suggestions: [],
      }),
      downloads: downloads?.list() ?? [],
    }),
    async download(name) {
      const reference = parseReference(name);
      return reference.ok ? (await open()).start(reference.value) : reference;
    },
    async preview(name) {
      const reference = parseReference(name);
      if (!reference.ok) return reference;
      const address = hub();
      if (!address.ok) return address;
      const { previewModel } = await import("./preview-model");
      return previewModel(reference.value, { folder, hub: address.value, memory, isListed }, closing.signal);
    },
    async measure(files) {
      const { findFileFit, readGgufStart } = await import("./file-fit");
      const measured: ForeignModel[] = [];
      // One after the other: the first bytes of each are kept in memory only for so long.
      for (const file of files) {
        const sizes = { bytes: file.size, modelBytes: file.size };
        measured.push({ ...file, ...(await findFileFit(await readGgufStart(file.file), sizes, memory)) });
      }
      return measured;
    },
    pause: async (reference) => (await open()).pause(reference),
    cancel: async (reference) => (await open()).cancel(reference),
    async close() {
      closing.abort();
      await downloads?.close();
    },
  };
}

/** Fails with bad_input. */
function parseReference(name: string): Result<ModelReference> {
  const reference = parseModelReference(name);
  return reference === null ? fail("bad_input", name) : ok(reference);
}

const hubState = (hub: Result<string>): Pick<EngineState, "hub" | "hubProblem"> =>
  hub.ok ? { hub: new URL(hub.value).host } : { hub: "", hubProblem: hub.error };
