/** The models that the user added, as a list of their files in the home folder. */
import { readFile } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import * as z from "zod/mini";
import { fail, ok, type Result } from "@/lib/events/error";
import type { EngineModel } from "@/lib/models/engine";
import { parseJson } from "@/server/base/parse-json";
import { writePrivateFileAsync } from "@/server/store/core/private-file";
import { isProjector, toEngineModelInfo } from "./gguf-model";
import { readGguf } from "./read-gguf";

const maxModels = 100;

const listSchema = z.object({
  models: z.array(z.object({ name: z.string(), file: z.string(), projector: z.optional(z.string()) })),
});
type ListedFile = z.infer<typeof listSchema>["models"][number];

export interface EngineModelList {
  models(): readonly EngineModel[];
  /** Reads the list and the files again. */
  load(): Promise<void>;
  /** Fails with bad_path, exists, too_many, or the error of the file. */
  add(file: ListedFile): Promise<Result<EngineModel>>;
  /** Fails with not_found. */
  remove(name: string): Promise<Result<null>>;
}

/** The name of a file without its extension. */
export const modelNameOfFile = (file: string): string => basename(file).replace(/\.gguf$/i, "");

/** `path` = that of the list; it is missing until a model is added. */
export function makeEngineModelList(path: string): EngineModelList {
  let models: readonly EngineModel[] = [];

  async function save(next: readonly EngineModel[]): Promise<void> {
    const files = next.map(({ name, file, projector }) => ({ name, file, projector }));
    await writePrivateFileAsync(path, Buffer.from(`${JSON.stringify({ models: files }, null, 2)}\n`));
    models = next;
  }

  return {
    models: () => models,
    async load() {
      const text = await readFile(path, "utf8").catch(() => "");
      const list = listSchema.safeParse(parseJson(text));
      models = await Promise.all((list.success ? list.data.models : []).map(readModel));
    },
    async add(file) {
      if (!isAbsolute(file.file)) return fail("bad_path", undefined, { path: file.file });
      if (models.length >= maxModels) return fail("too_many");
      if (models.some(({ name }) => name === file.name)) return fail("exists", undefined, { path: file.name });
      const model = await readModel(file);
      if (model.error !== undefined) return { ok: false, error: model.error };
      await save([...models, model]);
      return ok(model);
    },
    async remove(name) {
      const others = models.filter((model) => model.name !== name);
      if (others.length === models.length) return fail("not_found", name);
      await save(others);
      return ok(null);
    },
  };
}

async function readModel(listed: ListedFile): Promise<EngineModel> {
  const file = await readGguf(listed.file);
  if (!file.ok) return { ...listed, error: file.error };
  // It cannot answer alone.
  if (isProjector(file.value)) return { ...listed, error: { code: "model_file_broken", detail: "an image projector" } };
  const hasProjector = listed.projector !== undefined;
  return { ...listed, info: toEngineModelInfo(listed.name, file.value, hasProjector) };
}
