/** The extensions as the settings show them. */
import type { ExtensionsState, ExtensionView } from "@/lib/tools/extensions";
import { signatureOf } from "@/server/tools/toolbox/describe-tool";
import type { ScriptRun } from "./definition/read-definition";
import type { EnabledFile } from "./enabled-files";
import type { ProjectExtensions, StatedExtension } from "./extensions";
import { listFileChanges } from "./show-file";
import { scriptToolName } from "./script-tools";

const words = ({ file, arguments: rest }: ScriptRun): readonly string[] => [file, ...rest];

interface ViewedProject {
  readonly read: ProjectExtensions;
  readonly environment: NodeJS.ProcessEnv;
  /** Enabled files of changed extensions, by path; those of others are not needed. */
  readonly enabledFiles: ReadonlyMap<string, readonly EnabledFile[]>;
  /** Whether the model reaches this extension's tool by that name. */
  isReached(extension: StatedExtension, catalogueName: string): boolean;
}

export const viewExtensions = (viewed: ViewedProject): ExtensionsState => ({
  isTrusted: viewed.read.isTrusted,
  ...(viewed.read.problem === null ? {} : { problem: viewed.read.problem }),
  places: viewed.read.places.map((place) => ({
    ...place,
    extensions: place.extensions.map((extension) => viewExtension(extension, viewed)),
  })),
});

function viewExtension(
  extension: StatedExtension,
  { environment, enabledFiles, isReached }: ViewedProject,
): ExtensionView {
  const { path, name, place, isFile, status, hadGate, hash, definition, problems } = extension;
  const { description, variables, tools, commands, listeners, gate } = definition;
  const taken = tools.map((tool) => scriptToolName(name, tool.name)).filter((one) => !isReached(extension, one));
  return {
    path,
    name,
    place,
    isFile,
    description,
    status,
    hadGate,
    hash,
    files: listFileChanges(extension, enabledFiles.get(path) ?? null),
    variables: variables.map((variable) => ({ name: variable, isSet: environment[variable] !== undefined })),
    tools: tools.map((tool) => ({
      name: tool.name,
      catalogueName: scriptToolName(name, tool.name),
      description: tool.description,
      signature: signatureOf(tool),
      run: words(tool.run),
      timeoutMs: tool.timeoutMs,
    })),
    commands: commands.map(({ text, ...command }) => ({
      ...command,
      prompt: text.kind === "prompt" ? text.prompt : null,
      run: text.kind === "run" ? words(text.run) : null,
    })),
    listeners: listeners.map(({ events, match, run, isKept }) => ({ events, match, run: words(run), isKept })),
    gate: gate === null ? null : words(gate),
    problems: [...problems, ...taken.map((detail) => ({ kind: "name_taken" as const, file: path, detail }))],
  };
}
