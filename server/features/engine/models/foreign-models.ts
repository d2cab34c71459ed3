/**
 * Finds model files that other programs have downloaded: Ollama's blobs, by its manifests, and LM Studio's folder. They
 * are only read.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { ForeignModel } from "@/lib/models/engine";
import { parseJson } from "@/server/base/parse-json";

/** A model whose memory need is not known yet. */
export type ForeignFile = Omit<ForeignModel, "memoryBytes" | "fit">;

const maxModels = 200;
const maxDepth = 5;

const manifestSchema = z.object({ layers: z.array(z.object({ mediaType: z.string(), digest: z.string() })) });
const layerTypes = {
  model: "application/vnd.ollama.image.model",
  projector: "application/vnd.ollama.image.projector",
} as const;

/** Never rejects: what cannot be read is left out. In order of their names. */
export async function findForeignModels(environment: NodeJS.Dict<string>): Promise<readonly ForeignFile[]> {
  const home = environment.HOME ?? environment.USERPROFILE ?? "";
  const own = environment.OLLAMA_MODELS?.trim() ?? "";
  const ollama = own === "" ? [join(home, ".ollama", "models"), "/usr/share/ollama/.ollama/models"] : [own];
  const lmStudio = [join(home, ".lmstudio", "models"), join(home, ".cache", "lm-studio", "models")];
  const found = await Promise.all([...ollama.map(findOllamaModels), ...lmStudio.map(findLmStudioModels)]);
  return found
    .flat()
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, maxModels);
}

/** Relative paths of the files below a folder. */
async function listFiles(folder: string, depth = 0): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return [entry.name];
      if (depth === maxDepth) return [];
      return (await listFiles(join(folder, entry.name), depth + 1)).map((path) => join(entry.name, path));
    }),
  );
  return found.flat();
}

/** Bytes; null = not a readable file. */
const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    (stats) => (stats.isFile() ? stats.size : null),
    () => null,
  );

async function findOllamaModels(folder: string): Promise<readonly ForeignFile[]> {
  const manifests = join(folder, "manifests");
  const found = await Promise.all(
    (await listFiles(manifests)).map(async (path): Promise<readonly ForeignFile[]> => {
      const text = await readFile(join(manifests, path), "utf8").catch(() => "");
      const manifest = manifestSchema.safeParse(parseJson(text));
      if (!manifest.success) return [];
      const blobOf = (type: string): string | undefined => {
        const digest = manifest.data.layers.find(({ mediaType }) => mediaType === type)?.digest;
        return digest === undefined ? undefined : join(folder, "blobs", digest.replace(":", "-"));
      };
      const file = blobOf(layerTypes.model);
      const size = file === undefined ? null : await sizeOf(file);
      if (file === undefined || size === null) return [];
      return [{ name: toOllamaName(path), file, projector: blobOf(layerTypes.projector), from: "ollama", size }];
    }),
  );
  return found.flat();
}

/** `registry.ollama.ai/library/qwen3/8b` is shown as `qwen3:8b`. */
function toOllamaName(path: string): string {
  const parts = path.split(/[\\/]/);
  const tag = parts.pop() ?? "";
  const name = parts.join("/").replace(/^registry\.ollama\.ai\/(?:library\/)?/, "");
  return `${name}:${tag}`;
}

/** File names of later parts: only the first part of a model is listed, and llama.cpp finds the others beside it. */
const laterPart = /-(?!00001)\d{5}-of-\d{5}\.gguf$/i;
const firstPart = /-00001-of-\d{5}(?=\.gguf$)/i;
const projectorName = /(?:^|[-_.])mmproj(?:[-_.]|$)/i;

async function findLmStudioModels(folder: string): Promise<readonly ForeignFile[]> {
  const paths = (await listFiles(folder)).filter((path) => /\.gguf$/i.test(path) && !laterPart.test(path));
  const isProjectorPath = (path: string): boolean => projectorName.test(path.split(/[\\/]/).at(-1) ?? "");
  const folderOf = (path: string): string => path.split(/[\\/]/).slice(0, -1).join("/");
  const projectors = new Map(paths.filter(isProjectorPath).map((path) => [folderOf(path), path]));
  const found = await Promise.all(
    paths
      .filter((path) => !isProjectorPath(path))
      .map(async (path): Promise<readonly ForeignFile[]> => {
        const file = join(folder, path);
        const size = await sizeOf(file);
        if (size === null) return [];
        const projector = projectors.get(folderOf(path));
        const name = (path.split(/[\\/]/).at(-1) ?? path).replace(firstPart, "").replace(/\.gguf$/i, "");
        return [
          {
            name,
            file,
            projector: projector === undefined ? undefined : join(folder, projector),
            from: "lmstudio",
            size,
          },
        ];
      }),
  );
  return found.flat();
}
