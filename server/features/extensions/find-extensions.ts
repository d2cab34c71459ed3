/** Finds the extensions of a place and reads what they define. Nothing of them is run. */
import { readdir, realpath } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { Hash } from "@/lib/events/id";
import {
  type ExtensionPlaceName,
  type ExtensionProblem,
  isExtensionName,
  isExtensionProblem,
} from "@/lib/tools/extensions";
import { computeBlobIdSteps } from "@/server/base/id";
import { isInFolder } from "@/server/base/is-in-folder";
import { runStepsInSlices } from "@/server/base/steps";
import { readFileStart } from "@/server/workspace/files/read-file-start";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { decodePlainText } from "./decode-text";
import { findCommentBlock } from "./definition/comment-block";
import {
  type DefinitionSource,
  emptyDefinition,
  type ExtensionDefinition,
  readDefinition,
  type ScriptRun,
} from "./definition/read-definition";
import { type ExtensionFile, extensionLimits, type FileHashes, hashFiles } from "./extension-files";
import { executableCommand, interpreterOf } from "./script-files";

/** An extension as its files are now. */
export interface Extension {
  /** As it was found; identifies it. */
  readonly path: string;
  /** Real path of its folder, or of the folder of its file. */
  readonly folder: string;
  readonly name: string;
  readonly place: ExtensionPlaceName;
  readonly isFile: boolean;
  readonly hash: Hash | null;
  readonly files: readonly ExtensionFile[];
  readonly definition: ExtensionDefinition;
  readonly problems: readonly ExtensionProblem[];
}

export interface ExtensionPlace {
  readonly kind: ExtensionPlaceName;
  readonly path: string;
  readonly exists: boolean;
  readonly extensions: readonly Extension[];
  readonly more: number;
}

/** Caches over several reads. */
export interface ExtensionCaches {
  readonly hashes: FileHashes;
  readonly definitions: Map<string, { readonly hash: Hash; readonly extension: Extension }>;
}

const scriptEndings: readonly string[] = [".sh", ".mjs", ".py"];
const definitionName = "extension.yaml";
const skippedNames = /^\.|^node_modules$|^__pycache__$|~$/;
const reservedNames: ReadonlySet<string> = new Set(Object.values(ownSourceIds));

/**
 * Reads a place; without caches nothing in it is looked at. `within` = the folder that it must not lead out of; null = it may be a link. Rejects when the signal
 * fires.
 */
export async function findExtensions(
  { kind, path, within }: Pick<ExtensionPlace, "kind" | "path"> & { readonly within: string | null },
  caches: ExtensionCaches | null,
  signal: AbortSignal,
): Promise<ExtensionPlace> {
  const root = await realpath(path).catch(() => null);
  const entries = root === null ? null : await readdir(root, { withFileTypes: true }).catch(() => null);
  if (caches === null || root === null || entries === null || (within !== null && !isInFolder(root, within)))
    return { kind, path, exists: root !== null, extensions: [], more: 0 };
  const found = entries
    .filter(({ name }) => !skippedNames.test(name))
    .filter((entry) => !entry.isFile() || scriptEndings.includes(extname(entry.name)))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const extensions: Extension[] = [];
  for (const entry of found.slice(0, extensionLimits.extensions)) {
    signal.throwIfAborted();
    const at = join(path, entry.name);
    const real = await realpath(at).catch(() => null);
    if (real === null || !isInFolder(real, root)) extensions.push(unusable(kind, at, "link"));
    else extensions.push(await readExtension(kind, at, real, entry.isFile(), caches, signal));
  }
  return { kind, path, exists: true, extensions, more: Math.max(0, found.length - extensionLimits.extensions) };
}

const nameOf = (path: string): string => {
  const ending = extname(path);
  return basename(path, scriptEndings.includes(ending) ? ending : "");
};

const unusable = (place: ExtensionPlaceName, path: string, kind: ExtensionProblem["kind"]): Extension => ({
  path,
  folder: path,
  name: nameOf(path),
  place,
  isFile: false,
  hash: null,
  files: [],
  definition: emptyDefinition,
  problems: [{ kind, file: path }],
});

async function readExtension(
  place: ExtensionPlaceName,
  path: string,
  real: string,
  isFile: boolean,
  caches: ExtensionCaches,
  signal: AbortSignal,
): Promise<Extension> {
  const only = isFile ? basename(real) : null;
  const folder = isFile ? real.slice(0, -basename(real).length - 1) : real;
  const hashed = await hashFiles(folder, only, caches.hashes, signal);
  const base = { ...unusable(place, path, "unreadable"), folder, isFile, problems: [] };
  if (!hashed.ok) return { ...base, problems: [hashed.problem] };
  const { hash, files } = hashed;
  const before = caches.definitions.get(path);
  if (before?.hash === hash && JSON.stringify(before.extension.files) === JSON.stringify(files))
    return before.extension;
  const read = await readText(folder, only, files, caches.hashes, signal);
  const named: readonly ExtensionProblem[] = nameProblems(base.name, path);
  const scripts = await scriptProblems(folder, files, read.definition);
  const problems = [...named, ...read.problems, ...scripts];
  const isUsable = !problems.some(isExtensionProblem);
  const extension = { ...base, hash, files, problems, definition: isUsable ? read.definition : emptyDefinition };
  if (!problems.some(({ kind }) => kind === "unreadable")) caches.definitions.set(path, { hash, extension });
  return extension;
}

function nameProblems(name: string, file: string): readonly ExtensionProblem[] {
  if (!isExtensionName(name)) return [{ kind: "bad_name", file, detail: name }];
  return reservedNames.has(name) ? [{ kind: "reserved_name", file, detail: name }] : [];
}

type ReadText = Pick<Extension, "definition" | "problems">;

async function readText(
  folder: string,
  only: string | null,
  files: readonly ExtensionFile[],
  hashes: FileHashes,
  signal: AbortSignal,
): Promise<ReadText> {
  const file = join(folder, only ?? definitionName);
  const failed = (kind: ExtensionProblem["kind"], limit?: number): ReadText => ({
    definition: emptyDefinition,
    problems: [{ kind, file, ...(limit === undefined ? {} : { limit }) }],
  });
  if (only === null && !files.some(({ path }) => path === definitionName)) return failed("no_definition");
  const bytes = await readFileStart(file, only === null ? extensionLimits.definitionBytes + 1 : extensionLimits.bytes);
  if (bytes === null) return failed("unreadable");
  const text = decodePlainText(bytes);
  if (text === null) return failed("not_text");
  const block = only === null ? { yaml: text, firstLine: 1 } : findCommentBlock(text);
  if (block === null) return failed("no_definition");
  if (
    block.yaml.length > extensionLimits.definitionBytes ||
    (only === null && bytes.length > extensionLimits.definitionBytes)
  )
    return failed("definition_large", extensionLimits.definitionBytes);
  // Another program may have written it since it was hashed: that text was not enabled.
  const hash = await runStepsInSlices(computeBlobIdSteps(bytes), signal);
  if (hash !== hashes.get(file)?.hash) return failed("unreadable");
  const source: DefinitionSource = {
    text: block.yaml,
    file,
    firstLine: block.firstLine,
    files: new Set(files.map(({ path }) => path)),
    ownFile: only,
  };
  return readDefinition(source);
}

const runsOf = ({ tools, commands, listeners, gate }: ExtensionDefinition): readonly ScriptRun[] => [
  ...tools.map(({ run }) => run),
  ...commands.flatMap(({ text }) => (text.kind === "run" ? [text.run] : [])),
  ...listeners.map(({ run }) => run),
  ...(gate === null ? [] : [gate]),
];

/** Finds the problems that prevent its scripts from being started. */
async function scriptProblems(
  folder: string,
  files: readonly ExtensionFile[],
  definition: ExtensionDefinition,
): Promise<readonly ExtensionProblem[]> {
  const names = new Set(runsOf(definition).map(({ file }) => file));
  const problems: ExtensionProblem[] = [];
  for (const name of names) {
    const file = join(folder, name);
    if ((await interpreterOf(file)) === null) problems.push({ kind: "no_interpreter", file, line: 1 });
    if (files.find(({ path }) => path === name)?.isExecutable === false)
      problems.push({ kind: "not_executable", file, detail: executableCommand(file) });
  }
  return problems;
}
