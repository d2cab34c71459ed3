/** Schema of the settings, with units, for commands and the store. Not loaded in the browser. */
import * as z from "zod/mini";
import { sandboxUses } from "../permissions/guard";
import { modes } from "../permissions/policy";
import { isDownloadAddress, isServerAddress } from "../models/server-address";
import { settingBounds, whitespaceDisplays } from "./setting-bounds";
import { autosaves, cursorStyles, keymaps, languages, limits, themes, toolCallings } from "./settings";
import { quietHoursPattern } from "./quiet-hours";

/** An absolute path; empty = none is chosen. */
const programPath = z.string().check(z.maxLength(1_000), z.regex(/^(?:\/[^\0\n]*)?$/));
const downloadAddress = z.string().check(z.maxLength(300), z.refine(isDownloadAddress));

const noticePlaceList = z.array(z.enum(["tab", "push", "channel"])).check(z.maxLength(3));

const boundedInteger = (name: keyof typeof settingBounds) =>
  z.int().check(z.gte(settingBounds[name].least), z.lte(settingBounds[name].most));

export const settingsSchema = z.object({
  /** Address of the Ollama server; empty = OLLAMA_HOST, or http://127.0.0.1:11434. */
  ollamaHost: z.string().check(z.maxLength(300), z.refine(isServerAddress)),
  /** Model for new sessions; empty = the first installed of preferredModels, else the first installed. */
  model: z.string().check(z.maxLength(200)),
  /** Connection id for new sessions; empty = Ollama. */
  connection: z.string().check(z.maxLength(80)),
  /** Connection ids in display order; connections not listed follow, oldest first. */
  connectionOrder: z.array(z.string().check(z.minLength(1), z.maxLength(80))).check(z.maxLength(200)),
  /** Maximum requested context window, tokens. 0 = largest that fits the machine. */
  contextMaxTokens: boundedInteger("contextMaxTokens"),
  /** Enables thinking for models that support it. */
  think: z.boolean(),
  /** Thinking tokens after which the request is repeated without thinking. 0 = no limit. */
  thinkMaxTokens: boundedInteger("thinkMaxTokens"),
  /** How long the model stays loaded after an answer, minutes. -1 = indefinitely. */
  keepAliveMinutes: boundedInteger("keepAliveMinutes"),
  /** Path of the built-in engine's llama-server; empty = GOPI_LLAMA_SERVER, or the one found on this machine. */
  engineProgram: programPath,
  /** Address that stands for the folder of llama.cpp's releases; empty = GitHub. */
  engineMirror: downloadAddress,
  /** Address of Hugging Face or a mirror of it; empty = HF_ENDPOINT, or Hugging Face. */
  modelHub: downloadAddress,
  /** Temperature of Ollama models, 0 to 2; null = each model's default. Connections have their own setting. */
  temperature: z.nullable(z.number().check(z.gte(0), z.lte(2))),
  /** Tool calling format of models without a setting of their own. */
  toolCalling: z.enum(toolCallings),
  /** Mode of new sessions; Full access can only be selected per session. */
  mode: z.enum([modes[0], modes[1], modes[2]]),
  /** Maximum length of one answer with its thinking, for models without a setting of their own. */
  maxOutputTokens: boundedInteger("maxOutputTokens"),
  /** Model turns of one run before it pauses with Continue. */
  maxSteps: boundedInteger("maxSteps"),
  /** Minutes of one run, excluding waits for the user, before it pauses with Continue. 0 = no limit. */
  maxRunMinutes: boundedInteger("maxRunMinutes"),
  /** Retries after a model server failure, with increasing delays. 0 = none. */
  retries: boundedInteger("retries"),
  /** Seconds without data, after the first byte of an answer, until it fails as stalled. 0 = no limit. */
  stallSeconds: boundedInteger("stallSeconds"),
  /** Share of the context window, in percent, at which a conversation is compacted. */
  compactionPercent: boundedInteger("compactionPercent"),
  /** Newest messages a compaction keeps in full, with their tool results, if the window allows. */
  keptMessages: boundedInteger("keptMessages"),
  /** Sends README and the project's configuration with the first message, as far as the snapshot has room. */
  autoFill: z.boolean(),
  keepReadFiles: z.boolean(),
  /** Share of the context window for the pinned files of a session, in percent. */
  pinnedPercent: boundedInteger("pinnedPercent"),
  /** Gives the files of the memory to new sessions, and the tools that read and change it. */
  memory: z.boolean(),
  /** Adds a line to the diary for each run that ends. */
  diary: z.boolean(),
  /** Default timeout of a bash command, seconds. */
  bashTimeoutSeconds: boundedInteger("bashTimeoutSeconds"),
  /** Bytes of a command's output sent to the model, head and tail. */
  bashOutputBytes: boundedInteger("bashOutputBytes"),
  /** Maximum lines returned by one read. */
  readLines: boundedInteger("readLines"),
  /** Maximum matching lines returned by one grep. */
  grepMatches: boundedInteger("grepMatches"),
  /** Maximum paths returned by one find. */
  findEntries: boundedInteger("findEntries"),
  /** Names of tools that new sessions do not get; those behind the toolbox cannot be called in running ones either. */
  disabledTools: z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(200)),
  /** Folder levels of the project tree in a session's first message. */
  treeDepth: boundedInteger("treeDepth"),
  /** Entries of one folder in that tree. */
  treeFolderEntries: boundedInteger("treeFolderEntries"),
  /** Command names that are refused anywhere in a shell command. */
  blockedWords: z.array(z.string().check(z.minLength(1), z.maxLength(60))).check(z.maxLength(200)),
  /** Additional names (one path component each) the model may neither read nor write. */
  protectedNames: z.array(z.string().check(z.minLength(1), z.maxLength(120))).check(z.maxLength(200)),
  /**
   * Folders (one path component each, `*` and `?` allowed) excluded from search, lists and the tree, unless a
   * .gitignore re-includes them.
   */
  ignoredFolders: z
    .array(z.string().check(z.regex(/^(?![!#.]*$)[^!#/\\[\]{}\s][^/\\[\]{}\s]{0,119}$/)))
    .check(z.maxLength(200)),
  /** Additional environment variables passed to tool shells. */
  shellEnvironment: z.array(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/))).check(z.maxLength(100)),
  theme: z.enum(themes),
  language: z.enum(languages),
  /** enter = Enter sends and Shift+Enter inserts a line break; mod-enter = Ctrl/Cmd+Enter sends. */
  sendKey: z.enum(["enter", "mod-enter"]),
  /** Text of the editor, px. */
  editorFontSize: boundedInteger("editorFontSize"),
  /** Wraps long lines in the editor; Markdown is always wrapped. */
  editorWrapLines: z.boolean(),
  /** Columns of an indentation and of a tab character in files that have no indentation of their own. */
  editorTabSize: boundedInteger("editorTabSize"),
  /** Columns after which the editor shows a vertical line. */
  editorRulers: z.array(z.int().check(z.gte(1), z.lte(limits.rulerColumn))).check(z.maxLength(limits.rulers)),
  /** Shows the first lines of the declarations around the top of the editor's view above the text. */
  editorStickyScroll: z.boolean(),
  editorWhitespace: z.enum(whitespaceDisplays),
  editorAutosave: z.enum(autosaves),
  /** Removes white space at the end of lines when the editor saves. */
  editorTrimWhitespace: z.boolean(),
  /** Adds a missing line break at the end of the file when the editor saves. */
  editorFinalNewline: z.boolean(),
  /** Formats a file with the formatter of its project when the user saves it. */
  editorFormatOnSave: z.boolean(),
  /** Absolute path of the program of new terminals; empty = the shell of the user's account. */
  terminalShell: programPath,
  /** Arguments of that program; none = those usual on this system. */
  terminalShellArguments: z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(50)),
  /** Text of the terminal, px. */
  terminalFontSize: boundedInteger("terminalFontSize"),
  /** Lines above the screen that a terminal keeps. */
  terminalScrollbackLines: boundedInteger("terminalScrollbackLines"),
  terminalCursor: z.enum(cursorStyles),
  terminalCursorBlink: z.boolean(),
  /** Describes the output to screen readers, which costs speed. */
  terminalScreenReader: z.boolean(),
  /**
   * When shell commands run in the operating system's sandbox (project writable, everything else read-only): in Full
   * access where it works; always, where a command asks if it does not work. Older versions stored a boolean.
   */
  sandbox: z.pipe(
    z.union([z.enum(sandboxUses), z.boolean()]),
    z.transform((use) => (typeof use === "string" ? use : use ? "always" : "off")),
  ),
  /** Sandboxed commands may use the network. */
  sandboxNetwork: z.boolean(),
  /** Folders that sandboxed commands may write besides the project: absolute, or in the user's home (`~/.npm`). */
  sandboxWritable: z.array(z.string().check(z.regex(/^(?:~\/|\/)[^\0\n]{1,300}$/))).check(z.maxLength(100)),
  /** Preset of keyboard shortcuts. */
  keymap: z.enum(keymaps),
  /** Changed shortcuts: an action and its keys, "files alt+f"; "files none" = no shortcut. */
  shortcuts: z.array(z.string().check(z.regex(/^[A-Za-z]{1,40} \S{1,40}$/))).check(z.maxLength(200)),
  /** Places that get a notice when a session waits for an approval. */
  noticeWaiting: noticePlaceList,
  /** The same when a run has finished. */
  noticeDone: noticePlaceList,
  /** The same when a run has failed, was interrupted or has reached a limit. */
  noticeFailed: noticePlaceList,
  /** The same when failures have paused an automation. */
  noticePaused: noticePlaceList,
  /** The same when the agent sends a message. */
  noticeMessage: noticePlaceList,
  /** Play a sound with a notification. */
  noticeSound: z.boolean(),
  /** Time span without notifications and sounds, "22:00-07:00"; empty = none. */
  quietHours: z.string().check(z.refine((hours) => hours === "" || quietHoursPattern.test(hours))),
});
