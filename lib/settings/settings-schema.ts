/** Schema of the settings, with units, for commands and the store. Not loaded in the browser. */
import * as z from "zod/mini";
import { modes } from "../permissions/policy";
import { isServerAddress } from "../models/server-address";
import { languages, settingBounds, themes, toolCallings } from "./settings";

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
  /** Temperature of Ollama models, 0 to 2; null = each model's default. Connections have their own setting. */
  temperature: z.nullable(z.number().check(z.gte(0), z.lte(2))),
  /** Tool calling format of models without a setting of their own. */
  toolCalling: z.enum(toolCallings),
  /** Mode of new sessions; Full access can only be selected per session. */
  mode: z.enum([modes[0], modes[1], modes[2]]),
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
  /**
   * Runs shell commands in the operating system's sandbox if available: project writable, everything else read-only.
   */
  sandbox: z.boolean(),
  /** Sandboxed commands may use the network. */
  sandboxNetwork: z.boolean(),
});
