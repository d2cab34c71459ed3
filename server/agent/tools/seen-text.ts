/**
 * Whether a text of the conversation was written by others than the model, so that a request that repeats it carries nothing
 * new. What the model wrote first does not count where it comes back: from a file, a command or another program.
 *
 * Limitations: a text that the model puts together where this program does not see it (a tool of another program that
 * joins, decodes or stores texts; a file that a program writes outside of the project, or ignored there, under a name that
 * no command has), and texts of other sessions in files. Of a command only an unchanged part of a file counts, so an
 * address in the output of any other command does not, although others may have written it.
 */
import { posix } from "node:path";
import { type Block, joinTextBlocks, type Json } from "@/lib/events/content";
import type { Origin } from "@/lib/events/event";
import { isCommandKind } from "@/lib/events/tool-presentations";
import { stripAnsi } from "@/lib/text/ansi";
import { recallToolName } from "@/lib/tools/memory";
import { iterate } from "@/lib/view/chunks";
import type { CallView, MessageEntry, SessionView, ViewBlock } from "@/lib/view/view";
import { segmentEffects } from "@/server/security/commands/command-effects";
import { readPaths } from "@/server/security/commands/readers";
import type { ParsedCommand } from "@/server/security/shell/parsed-command";
import { readCommand } from "@/server/security/shell/shell-parser";
import { removeInvisible } from "@/server/tools/toolbox/foreign-text";

/** Actions of the model before a result. */
interface ModelActs {
  readonly commands: readonly string[];
  /** Names of files that it changed in a way that is not recorded line by line. */
  readonly unreadNames: ReadonlySet<string>;
}

/**
 * Returns whether the user wrote the text, or a file or another program had it before the model wrote it. `view` = the whole
 * session.
 */
export async function wasWrittenByOthers(view: Pick<SessionView, "entries">, text: string): Promise<boolean> {
  const messages = [...iterate(view.entries)].filter((entry) => entry.kind === "message");
  if (messages.some((message) => isTypedByUser(message, text))) return true;
  const commands: string[] = [];
  const unreadNames = new Set<string>();
  for (const { role, origin, blocks, calls } of messages) {
    if (role === "user" && !mayBeOfModel(origin) && blocks.some((block) => isOfOthers(block, text))) return true;
    if (role === "assistant" && blocks.some((block) => isWrittenIn(block, text))) return false;
    if (calls.some((call) => hasChanged(call, text))) return false;
    for (const call of calls) {
      if (isCommandKind(call.kind)) commands.push(call.target);
      for (const name of unreadNamesOf(call)) unreadNames.add(name);
    }
    for (const call of calls) if (await isResultOfOthers(call, text, { commands, unreadNames })) return true;
  }
  return false;
}

/** A model wrote the task of a subagent, and a message of a workflow may contain the output of an earlier step. */
const mayBeOfModel = (origin: Origin | undefined): boolean => origin?.kind === "agent" || origin?.kind === "workflow";

const isTypedByUser = ({ role, origin, blocks }: MessageEntry, text: string): boolean =>
  role === "user" &&
  !mayBeOfModel(origin) &&
  blocks.some((block) => block.type === "text" && block.text.includes(text));

/** Topics of context that others wrote. The memory is the model's own. */
const foreignTopics: ReadonlySet<string> = new Set(["project", "guide"]);

const isOfOthers = (block: ViewBlock, text: string): boolean =>
  (block.type === "reference" || (block.type === "context" && foreignTopics.has(block.topic))) &&
  block.text.includes(text);

/** Whether the model wrote it in an answer or in the input of a call. */
function isWrittenIn(block: ViewBlock, text: string): boolean {
  if (block.type === "call") return stringsOf(block.input).some((one) => hasWritten(one, text));
  return "text" in block && hasWritten(block.text, text);
}

function stringsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsOf(member)]);
}

const plainText = /^[\t\n\r -~]*$/;

/** Results are without the characters that are not seen, so what was written with them comes back without. */
const hasWritten = (written: string, text: string): boolean =>
  written.includes(text) || (!plainText.test(written) && removeInvisible(stripAnsi(written)).includes(text));

/** Whether a line that the call wrote into a file has the text, or the name of a file that it changed. */
const hasChanged = ({ target, changes = [] }: CallView, text: string): boolean =>
  hasWritten(target, text) ||
  changes.some(
    ({ path, hunks = [] }) =>
      path.includes(text) ||
      hunks.some(({ lines }) => lines.some((line) => line.kind === "add" && hasWritten(line.text, text))),
  );

const unreadNamesOf = ({ changes = [] }: CallView): readonly string[] =>
  changes.flatMap(({ path, after, hunks }) => (after !== null && hunks === undefined ? [posix.basename(path)] : []));

async function isResultOfOthers(call: CallView, text: string, acts: ModelActs): Promise<boolean> {
  const { kind, name, target, output = [] } = call;
  if (!textOf(output).includes(text)) return false;
  switch (kind) {
    case "read":
      return !(await mayHaveWritten(acts, target));
    case "search":
      return acts.unreadNames.size === 0;
    case "shell":
      return isUnchangedFile(target, acts);
    // Lists have names of files, an agent and the memory repeat a model.
    case "list":
    case "find":
    case "edit":
    case "write":
    case "delete":
    case "agent":
      return false;
    default:
      return name !== recallToolName;
  }
}

const textOf = (output: readonly Block[]): string =>
  [
    joinTextBlocks(output),
    ...output.map((block) => (block.type === "context" && foreignTopics.has(block.topic) ? block.text : "")),
  ].join("\n");

/** Whether a command of the model may have written the file, apart from the lines that are recorded. */
async function mayHaveWritten({ commands, unreadNames }: ModelActs, path: string): Promise<boolean> {
  const name = posix.basename(path);
  if (unreadNames.has(name)) return true;
  for (const command of commands) if (command.includes(name) && !onlyReads(await readCommand(command))) return true;
  return false;
}

const onlyReads = (parsed: ParsedCommand): boolean =>
  parsed.kind === "parsed" &&
  parsed.segments.every((segment) => segmentEffects(segment, () => false).every((effect) => effect === "reads"));

/** Programs that print a part of a file as it is. */
const filePrinters: ReadonlySet<string> = new Set(["cat", "head", "tail"]);
/** Programs that print lines of files, with their options that print something else in place of a match or of the ends of lines. */
const linePrinters: ReadonlyMap<string, RegExp> = new Map([
  ...["grep", "egrep", "fgrep"].map((name) => [name, /^-[^-]*[zZ]|^--null/] as const),
  ["rg", /^-[^-]*[r0]|^--(?:replace|null)/],
]);

/** Whether a command prints a part of one file, or lines of files, and nothing that the model wrote. */
async function isUnchangedFile(command: string, acts: ModelActs): Promise<boolean> {
  const parsed = await readCommand(command);
  const [segment, ...others] = parsed.segments;
  if (parsed.kind !== "parsed" || segment === undefined || others.length > 0) return false;
  const { words, redirects, assignments, special } = segment;
  const paths = readPaths(words);
  if (paths === null || redirects.length > 0 || assignments.length > 0 || special) return false;
  const [program = "", ...rest] = words.map((word) => word.text);
  const changingOption = linePrinters.get(program);
  if (changingOption === undefined && !(filePrinters.has(program) && paths.length === 1)) return false;
  if (changingOption !== undefined && (acts.unreadNames.size > 0 || rest.some((word) => changingOption.test(word))))
    return false;
  for (const { word } of paths) if (word.glob || (await mayHaveWritten(acts, word.text))) return false;
  return true;
}
