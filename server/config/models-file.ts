/**
 * Synchronizes the settings of single models with `models.yaml` in the home folder. The file wins: it is read at the
 * start and whenever it changes on disk, and changes from a page are written into it with its comments preserved.
 */
import { join } from "node:path";
import { type ConfigFile, type ConfigProblem, formatConfigProblem } from "@/lib/settings/config-keys";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ModelEntry, ModelPatch } from "@/lib/settings/model-settings";
import type { ModelSettingsStore } from "@/server/store/models/model-settings";
import { isUnusable } from "./config-file";
import { textHash, type HomeFile, makeHomeFile, type SaveTextResult } from "./home-file";

export interface ModelsFile {
  /** Applies the file unless it is the last one applied, then watches it. A file that cannot be read is logged. */
  start(): Promise<void>;
  file(): Promise<Result<ConfigFile>>;
  /** Succeeds when settings can be written now. Fails with models_invalid while the file has bad syntax. */
  ready(): Promise<Result<null>>;
  /**
   * Stores settings of one model, by its name in the file, and writes them. Fails with models_invalid. Throws the
   * store's errors.
   */
  write(model: string, patch: ModelPatch): Promise<Result<null>>;
  /** Returns those of the entries that would change the file. */
  selectChanges(entries: readonly ModelEntry[]): Promise<readonly ModelEntry[]>;
  /** Stores the settings of these entries and writes them. Fails as `write`. */
  add(entries: readonly ModelEntry[]): Promise<Result<null>>;
  /** Replaces the whole text if it is still `before`. Fails with changed_meanwhile, no_permission, disk_full. */
  writeText(text: string, before: string): Promise<Result<SaveTextResult>>;
  close(): void;
}

interface ModelsFileOptions {
  readonly home: string;
  readonly store: ModelSettingsStore;
  /** Called when the stored entries may have changed. */
  changed(): void;
  /** Called after the file was read or written. */
  checked(problems: readonly ConfigProblem[]): void;
  log(line: string): void;
}

const newModelsText = `# Settings of single models. A name is that of a model (qwen3:8b), of a connection's model (box/qwen3), or of a family ("qwen3*").
`;

const loadYaml = () => import("./models-yaml");
type ModelsYaml = Awaited<ReturnType<typeof loadYaml>>;

export function makeModelsFile({ home, store, changed, checked, log }: ModelsFileOptions): ModelsFile {
  const path = join(home, "models.yaml");
  const check = async (text: string): Promise<readonly ConfigProblem[]> =>
    (await loadYaml()).parseModelEntries(text).problems;

  async function apply(text: string): Promise<void> {
    const { entries, problems, bad } = (await loadYaml()).parseModelEntries(text);
    for (const problem of problems) log(`${path}:${problem.line}: ${formatConfigProblem(problem)}`);
    if (!problems.some(isUnusable)) {
      store.write(keepValuesOfBadKeys(entries, bad, store.read()), file.recordApplied(text));
      changed();
    }
    checked(problems);
  }

  const file: HomeFile = makeHomeFile({ path, storedHash: store.fileHash, apply, check, checked, log });
  const invalid = (problems: readonly ConfigProblem[]) =>
    fail("models_invalid", undefined, { path, line: problems[0]?.line ?? 0 });

  /** Stores and writes what `edit` makes of the text; null = the text has bad syntax. */
  const editText = (edit: (yaml: ModelsYaml, text: string) => string | null): Promise<Result<null>> =>
    file.withCurrentText(async (text) => {
      const yaml = await loadYaml();
      const edited = edit(yaml, text === "" ? newModelsText : text);
      if (edited === null) return invalid(yaml.parseModelEntries(text).problems);
      const { entries, problems, bad } = yaml.parseModelEntries(edited);
      const isSaved = file.save(edited);
      store.write(
        keepValuesOfBadKeys(entries, bad, store.read()),
        isSaved ? file.recordApplied(edited) : (store.fileHash() ?? textHash("")),
      );
      changed();
      checked(problems);
      return ok(null);
    });
  return {
    ...file,
    ready: () =>
      file.withCurrentText(async (text) => {
        const problems = text === "" ? [] : await check(text);
        return problems.some(isUnusable) ? invalid(problems) : ok(null);
      }),
    write: (model, patch) => editText(({ editModels }, text) => editModels(text, model, patch)),
    add: (entries) => editText(({ addModels }, text) => addModels(text, entries)),
    selectChanges: async (entries) => (await loadYaml()).changedModels(entries, store.read()),
  };
}

/** Adds the current values of the settings whose value in the file is invalid. */
const keepValuesOfBadKeys = (
  entries: readonly ModelEntry[],
  bad: readonly { readonly entry: string; readonly name: keyof ModelPatch }[],
  before: readonly ModelEntry[],
): readonly ModelEntry[] =>
  entries.map(({ name, settings }) => {
    const storedSettings = before.find((one) => one.name === name)?.settings ?? {};
    const validEntries = Object.entries(storedSettings).filter(([key]) =>
      bad.some((one) => one.entry === name && one.name === key),
    );
    return { name, settings: { ...Object.fromEntries(validEntries), ...settings } };
  });
