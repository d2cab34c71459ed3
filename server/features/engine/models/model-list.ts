/** The models that the user added, as a list of their files in the home folder. */
import { createHash } from "node:crypto";
import { rm, rmdir } from "node:fs/promises";
import { basename, dirname, isAbsolute, sep } from "node:path";
import * as z from "zod/mini";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { EngineModel } from "@/lib/models/engine";
import { makeSlots } from "@/server/base/concurrency";
import { parseOwnerText, readOwnerText } from "@/server/store/core/owner-file";
import { writePrivateFileAsync } from "@/server/store/core/private-file";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import {
  isProjector,
  type ModelShape,
  type ModelTraits,
  readModelTraits,
  toEngineModelInfo,
  toModelShape,
} from "./gguf-model";
import { type GgufReader, makeGgufReader } from "./gguf-reader";
import type { GgufFile } from "./read-gguf";

const maxModels = 100;

const fileSchema = z.object({ name: z.string(), file: z.string(), projector: z.optional(z.string()) });
const listSchema = z.object({ models: z.array(z.json()) });
type ListedFile = z.infer<typeof fileSchema>;

/** Content of the file: its models, and entries of another form, which are written back unchanged. */
interface ListContent {
  readonly files: readonly ListedFile[];
  readonly others: readonly Json[];
}

function parseList(value: Json): ListContent | null {
  const list = listSchema.safeParse(value);
  if (!list.success) return null;
  const entries = list.data.models.map((entry) => ({ entry, file: fileSchema.safeParse(entry) }));
  return {
    files: entries.flatMap(({ file }) => (file.success ? [file.data] : [])),
    others: entries.flatMap(({ entry, file }) => (file.success ? [] : [entry])),
  };
}

/** A model with what its memory need depends on. */
export interface ListedModel extends Omit<EngineModel, "memoryBytes" | "fit"> {
  /** null = its file does not state it; absent = it cannot be read. */
  readonly shape?: ModelShape | null;
  /** Absent = its file cannot be read. */
  readonly traits?: ModelTraits;
}

export interface EngineModelList {
  models(): readonly ListedModel[];
  /** Reads the list and the files again. */
  load(): Promise<void>;
  /** Fails with bad_path, exists, too_many, or the error of the file. */
  add(file: ListedFile): Promise<Result<ListedModel>>;
  /** Adds it as `NAME-2` and so on if the name is in use. Fails with bad_path, too_many, or the error of the file. */
  addUnderFreeName(file: ListedFile): Promise<Result<ListedModel>>;
  /** Number of models that can be added. */
  room(): number;
  /**
   * Takes a model off the list, and deletes the files of one that was downloaded. `removed` = called between the two. Fails
   * with not_found, no_permission.
   */
  remove(name: string, removed?: () => Promise<void>): Promise<Result<null>>;
}

/** The name of a file without its extension. */
export const modelNameOfFile = (file: string): string => basename(file).replace(/\.gguf$/i, "");

/** `path` = that of the list, which is missing until a model is added; `downloads` = folder of downloaded models. */
export function makeEngineModelList(path: string, downloads: string): EngineModelList {
  let models: readonly ListedModel[] = [];
  let others: ListContent["others"] = [];
  /** Why the list could not be read: it is not written before it was. undefined = it was not read yet. */
  let problem: AgentError | null | undefined;
  /** Increases with each change, after which a list that was read before is out of date. */
  let changes = 0;
  const readGguf = makeGgufReader();
  const changing = makeSlots(1);
  const readModel = (listed: ListedFile): Promise<ListedModel> =>
    readListedModel(readGguf, listed, listed.file.startsWith(downloads + sep));

  /** Keeps the models of a list that cannot be read any more. */
  async function load(): Promise<void> {
    const before = changes;
    const text = await readOwnerText(path);
    const list = text.ok
      ? parseOwnerText(path, text.value, { missing: { files: [], others: [] }, parse: parseList })
      : text;
    if (changes === before) problem = list.ok ? null : list.error;
    if (!list.ok) return;
    const read = await Promise.all(list.value.files.map(readModel));
    if (changes !== before) return;
    models = read;
    others = list.value.others;
  }

  async function save(next: readonly ListedModel[]): Promise<void> {
    const files = next.map(({ name, file, projector }) => ({ name, file, projector }));
    await writePrivateFileAsync(path, Buffer.from(`${JSON.stringify({ models: [...files, ...others] }, null, 2)}\n`));
    models = next;
    changes += 1;
  }

  async function add(file: ListedFile): Promise<Result<ListedModel>> {
    if (!isAbsolute(file.file)) return fail("bad_path", undefined, { path: file.file });
    if (models.length >= maxModels) return fail("too_many");
    if (models.some(({ name }) => name === file.name)) return fail("exists", undefined, { path: file.name });
    const model = await readModel(file);
    if (model.error !== undefined) return { ok: false, error: model.error };
    await save([...models, model]);
    return ok(model);
  }

  async function remove(name: string, removed?: () => Promise<void>): Promise<Result<null>> {
    const others = models.filter((model) => model.name !== name);
    const model = models.find((one) => one.name === name);
    if (model === undefined) return fail("not_found", name);
    await save(others);
    await removed?.();
    return model.isOwned ? deleteFiles(model, others) : ok(null);
  }

  /** One change at a time, so that none is lost. */
  const change = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
    changing(() =>
      catchFileErrors(path, async () => {
        if (problem !== null) await load();
        return problem === null || problem === undefined ? work() : { ok: false, error: problem };
      }),
    );

  return {
    models: () => models,
    load,
    add: (file) => change(() => add(file)),
    addUnderFreeName: (file) => change(() => add({ ...file, name: freeName(file.name, models) })),
    room: () => maxModels - models.length,
    remove: (name, removed) => change(() => remove(name, removed)),
  };
}

function freeName(name: string, models: readonly ListedModel[]): string {
  const names = new Set(models.map((model) => model.name));
  let free = name;
  for (let count = 2; names.has(free); count += 1) free = `${name}-${count}`;
  return free;
}

async function readListedModel(readGguf: GgufReader, listed: ListedFile, isOwned: boolean): Promise<ListedModel> {
  const file = await readGguf(listed.file);
  if (!file.ok) return { ...listed, isOwned, error: file.error };
  // It cannot answer alone.
  if (isProjector(file.value))
    return { ...listed, isOwned, error: { code: "model_file_broken", detail: "an image projector" } };
  const projector = listed.projector === undefined ? undefined : await readGguf(listed.projector);
  // A model whose projector is gone answers without images.
  const usable = projector?.ok === true && isProjector(projector.value) ? projector.value : null;
  const parts = await readParts(readGguf, listed.file, file.value);
  if (!parts.ok) return { ...listed, isOwned, error: parts.error };
  const whole = parts.value;
  const info = toEngineModelInfo(listed.name, whole, usable);
  return { ...listed, isOwned, info, shape: toModelShape(whole.metadata, whole.size), traits: readModelTraits(whole) };
}

/**
 * The first part of a split model with the size and the digest of all; a missing part counts as nothing. Fails with
 * model_file_broken for a damaged one.
 */
async function readParts(readGguf: GgufReader, path: string, first: GgufFile): Promise<Result<GgufFile>> {
  const others = await Promise.all(
    partsOf(path)
      .filter((part) => part !== path)
      .map(readGguf),
  );
  if (others.length === 0) return ok(first);
  const broken = others.find((part) => !part.ok && part.error.code === "model_file_broken");
  if (broken?.ok === false) return broken;
  const parts = [first, ...others.flatMap((part) => (part.ok ? [part.value] : []))];
  const hash = createHash("sha256").update(parts.map(({ digest }) => digest).join("\n"));
  return ok({ ...first, size: parts.reduce((sum, { size }) => sum + size, 0), digest: hash.digest("hex") });
}

/** All parts of a split model, `NAME-00001-of-00003.gguf` and so on; else the file alone. */
export function partsOf(file: string): readonly string[] {
  const [, name = "", count = ""] = /^(.*)-\d{5}-of-(\d{5})\.gguf$/i.exec(file) ?? [];
  if (count === "") return [file];
  return Array.from(
    { length: Number(count) },
    (_, index) => `${name}-${String(index + 1).padStart(5, "0")}-of-${count}.gguf`,
  );
}

/** A file stays while another entry names it. */
function deleteFiles({ file, projector }: ListedModel, others: readonly ListedModel[]): Promise<Result<null>> {
  const used = new Set(others.flatMap((other) => [...partsOf(other.file), other.projector]));
  const files = [...partsOf(file), ...(projector === undefined ? [] : [projector])];
  return catchFileErrors(file, async () => {
    for (const path of files) if (!used.has(path)) await rm(path, { force: true });
    // The folder of the repository stays if there are other files.
    await rmdir(dirname(file)).catch(() => undefined);
    return ok(null);
  });
}
