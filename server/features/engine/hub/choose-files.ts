/** Chooses the files of a model among those of its repository. Pure. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ModelReference } from "./model-reference";

export interface HubFile {
  /** Path in the repository. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

interface ChosenFiles {
  /** The parts of the model in their order; one if it is not split. */
  readonly model: readonly HubFile[];
  /** The file that reads images. */
  readonly projector?: HubFile;
}

/** The first of these that a repository has is taken if the user names none. */
const usualQuantizations = ["Q4_K_M", "Q4_K_XL", "MXFP4", "Q4_0", "Q4_K_S", "Q5_K_M", "Q6_K", "Q8_0"] as const;
const projectorTypes = ["F16", "BF16", "Q8_0"] as const;

/** `NAME-00001-of-00003.gguf` */
const splitPattern = /-(\d{5})-of-(\d{5})\.gguf$/i;
const quantizationPattern = /(?:^|[-._/])((?:UD-)?(?:I?Q\d\w*|MXFP4\w*|NVFP4|BF16|F16|F32|TQ\d_\d))(?=[-._/]|$)/gi;
const projectorPattern = /(?:^|[-._/])mmproj/i;
/** Models that draft for another one, and data about quantization. */
const helperPattern = /(?:^|[-._/])(?:mtp|imatrix|draft|drafter|eagle\d?)(?=[-._/]|$)/i;

/**
 * Fails with not_found; facts: `available` = the quantizations there are, separated by commas, and none if the repository
 * has no GGUF files.
 */
export function chooseModelFiles(
  files: readonly HubFile[],
  { file, quantization }: Pick<ModelReference, "file" | "quantization">,
): Result<ChosenFiles> {
  const gguf = files.filter(({ path }) => /\.gguf$/i.test(path));
  const models = groupParts(gguf.filter(({ path }) => !projectorPattern.test(path) && !helperPattern.test(path)));
  const model = file === undefined ? findByType(models, quantization) : groupParts(gguf).find(hasPath(file));
  if (model === undefined) return fail("not_found", undefined, { available: listQuantizations(models).join(", ") });
  const projectors = gguf.filter(({ path }) => projectorPattern.test(path));
  const projector = projectors.length === 0 || projectors.includes(model[0]!) ? undefined : chooseProjector(projectors);
  return ok({ model, ...(projector !== undefined && { projector }) });
}

const hasPath =
  (wanted: string) =>
  (parts: readonly HubFile[]): boolean =>
    parts.some(({ path }) => path === wanted);

/** Without a wanted type the usual one, else the smallest model. */
function findByType(models: readonly (readonly HubFile[])[], wanted?: string): readonly HubFile[] | undefined {
  // The largest of several: others with this type are parts of something else.
  const largest = (type: string) => models.filter(hasType(type)).sort((one, other) => bytesOf(other) - bytesOf(one))[0];
  if (wanted !== undefined) return largest(wanted);
  for (const type of usualQuantizations) {
    const model = largest(type);
    if (model !== undefined) return model;
  }
  return [...models].sort((one, other) => bytesOf(one) - bytesOf(other))[0];
}

const hasType =
  (type: string) =>
  ([first]: readonly HubFile[]): boolean =>
    first !== undefined && quantizationsIn(first.path).some((name) => isSameType(name, type));

/** `UD-Q4_K_XL` is found by its whole name and by `Q4_K_XL`. */
const isSameType = (name: string, wanted: string): boolean =>
  [name, name.replace(/^UD-/i, "")].some((one) => one.toLowerCase() === wanted.toLowerCase());

const quantizationsIn = (path: string): readonly string[] =>
  [
    ...path
      .replace(splitPattern, "")
      .replace(/\.gguf$/i, "")
      .matchAll(quantizationPattern),
  ].map(([, name = ""]) => name);

const listQuantizations = (models: readonly (readonly HubFile[])[]): readonly string[] => [
  ...new Set(models.flatMap(([first]) => (first === undefined ? [] : quantizationsIn(first.path).slice(-1)))),
];

const bytesOf = (files: readonly HubFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whole models; a split one of which a part is missing is left out. */
function groupParts(files: readonly HubFile[]): readonly (readonly HubFile[])[] {
  const groups = new Map<string, HubFile[]>();
  for (const file of files) {
    const name = file.path.replace(splitPattern, "");
    const parts = groups.get(name);
    if (parts === undefined) groups.set(name, [file]);
    else parts.push(file);
  }
  return [...groups.values()]
    .map((parts) => parts.sort((one, other) => (one.path < other.path ? -1 : 1)))
    .filter(([first, ...others]) => {
      const count = splitPattern.exec(first?.path ?? "")?.[2];
      return count === undefined || Number(count) === others.length + 1;
    });
}

function chooseProjector(projectors: readonly HubFile[]): HubFile | undefined {
  for (const type of projectorTypes) {
    const projector = projectors.find((file) => hasType(type)([file]));
    if (projector !== undefined) return projector;
  }
  return projectors[0];
}
