/** The slash commands of a project: those of enabled extensions, and Markdown files. Their text goes into the composer. */
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId, SessionId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { OfferedCommand } from "@/lib/tools/extensions";
import { stripAnsi } from "@/lib/text/ansi";
import { removeInvisible } from "@/server/tools/toolbox/foreign-text";
import { type ScriptCommand, scriptTimes } from "./definition/read-definition";
import type { Extensions, ProjectExtensions, StatedExtension } from "./extensions";
import { homeCommandFolder, projectCommandFolders, readMarkdownCommands } from "./markdown-commands";
import { describeEnd, readScriptText } from "./script-output";
import { commandPayload } from "./script-payload";
import type { ScriptRuns } from "./script-runs";

/** The words of a text; quotes join several. */
function splitArguments(text: string): readonly string[] {
  const words: string[] = [];
  for (const [, double, single, plain] of text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g))
    words.push(double ?? single ?? plain ?? "");
  return words;
}

const placeholder = /\$(ARGUMENTS|[1-9])/g;

/**
 * Puts the arguments of a slash command into its text. Replaces `$ARGUMENTS` and `$1` to `$9`, once: what the arguments
 * contain is not replaced again. A text without any has the arguments behind it.
 */
export function expandPrompt(prompt: string, text: string): string {
  const input = text.trim();
  const words = splitArguments(input);
  if (input !== "" && prompt.search(placeholder) === -1) return `${prompt.trimEnd()}\n\n${input}`;
  return prompt.replace(placeholder, (_all, name: string) =>
    name === "ARGUMENTS" ? input : (words[Number(name) - 1] ?? ""),
  );
}

interface FoundCommand extends OfferedCommand {
  /** Returns its text. Rejects if the signal fires before a script starts. */
  expand(text: string, sessionId: SessionId | null, signal: AbortSignal): Promise<Result<string>>;
}

interface SlashCommands {
  /** Reads the folders now; of two commands of one name, the first. Fails with the codes of opening a project. */
  list(projectId: ProjectId): Promise<Result<readonly OfferedCommand[]>>;
  /** Fails with not_found, too_large, changed_meanwhile, tool_failed (facts: reason, or detail), aborted. */
  expand(projectId: ProjectId, name: string, text: string, sessionId: SessionId | null): Promise<Result<string>>;
  /** Ends the scripts of commands that run in a project. */
  stop(projectId: ProjectId): void;
}

interface SlashCommandsOptions {
  readonly home: string;
  readonly extensions: Extensions;
  readonly runs: ScriptRuns;
  readonly stop: AbortSignal;
}

export function makeSlashCommands({ home, extensions, runs, stop }: SlashCommandsOptions): SlashCommands {
  const running = new Map<ProjectId, AbortController>();
  const find = async (projectId: ProjectId): Promise<Result<readonly FoundCommand[]>> => {
    const read = await extensions.refresh(projectId, stop);
    if (!read.ok) return read;
    const { root, isTrusted, places } = read.value;
    const enabled = places.flatMap((place) => place.extensions.filter(({ status }) => status === "on"));
    const own = enabled.flatMap((extension) =>
      extension.definition.commands.map((command) => ofExtension(command, extension, read.value, runs)),
    );
    const folders = [
      { folder: homeCommandFolder(home), within: null },
      ...(isTrusted ? projectCommandFolders.map((name) => ({ folder: join(root, name), within: root })) : []),
    ];
    const files = await Promise.all(folders.map(({ folder, within }) => readMarkdownCommands(folder, within, stop)));
    const markdown = files.flat().map(
      ({ name, description, prompt, file }): FoundCommand => ({
        name,
        description,
        from: file,
        isScript: false,
        expand: (text) => Promise.resolve(ok(expandPrompt(prompt, text))),
      }),
    );
    return ok(withoutRepeatedNames([...own, ...markdown]));
  };
  return {
    async list(projectId) {
      const found = await find(projectId);
      if (!found.ok) return found;
      return ok(found.value.map(({ name, description, from, isScript }) => ({ name, description, from, isScript })));
    },
    async expand(projectId, name, text, sessionId) {
      const cancel = running.get(projectId) ?? new AbortController();
      running.set(projectId, cancel);
      const signal = AbortSignal.any([cancel.signal, stop]);
      const found = await find(projectId);
      if (!found.ok) return found;
      const command = found.value.find((one) => one.name === name);
      if (command === undefined) return fail("not_found", undefined, { command: name });
      const expanded = await abortedAsFailure(command.expand(text, sessionId, signal), signal);
      if (!expanded.ok) return expanded;
      const plain = removeInvisible(expanded.value).trim();
      return plain.length > limits.promptMaxChars
        ? fail("too_large", undefined, { limit: limits.promptMaxChars })
        : ok(plain);
    },
    stop(projectId) {
      running.get(projectId)?.abort();
      running.delete(projectId);
    },
  };
}

async function abortedAsFailure<T>(work: Promise<Result<T>>, signal: AbortSignal): Promise<Result<T>> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return fail("aborted");
    throw error;
  }
}

function withoutRepeatedNames(commands: readonly FoundCommand[]): readonly FoundCommand[] {
  const byName = new Map<string, FoundCommand>();
  for (const command of commands) if (!byName.has(command.name)) byName.set(command.name, command);
  return [...byName.values()];
}

function ofExtension(
  { name, description, text: source }: ScriptCommand,
  extension: StatedExtension,
  project: ProjectExtensions,
  runs: ScriptRuns,
): FoundCommand {
  const offered = { name, description, from: extension.name, isScript: source.kind === "run" };
  if (source.kind === "prompt")
    return { ...offered, expand: (text) => Promise.resolve(ok(expandPrompt(source.prompt, text))) };
  const timeoutMs = scriptTimes.defaultMs;
  const title = `command /${name}`;
  return {
    ...offered,
    async expand(text, sessionId, signal) {
      const input = commandPayload({ extension: extension.name, sessionId, project: project.root }, name, text);
      const result = await runs.run({ extension, project, run: source.run, title, input, timeoutMs }, signal);
      if (!result.ok) return result;
      if (result.value.ended === "aborted") return fail("aborted");
      const failure = describeEnd(result.value, `/${name}`, timeoutMs);
      if (failure !== null) return fail("tool_failed", failure);
      return ok(stripAnsi(readScriptText(result.value.output).text));
    },
  };
}
