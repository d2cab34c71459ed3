/** What a setting may be, with units. Parsed at the door and when the store is read; never in the browser. */
import * as z from "zod/mini";
import { modes } from "./policy";
import { isServerAddress } from "./server-address";
import { languages, settingBounds, themes, toolCallings } from "./settings";

const whole = (name: keyof typeof settingBounds) =>
  z.int().check(z.gte(settingBounds[name].least), z.lte(settingBounds[name].most));

export const settingsSchema = z.object({
  /** Address of the Ollama server; empty = OLLAMA_HOST, else http://127.0.0.1:11434. */
  ollamaHost: z.string().check(z.maxLength(300), z.refine(isServerAddress)),
  /** Model for new sessions; empty = the first installed of preferredModels, else the first installed. */
  model: z.string().check(z.maxLength(200)),
  /** Where new sessions get their model: a connection's id; empty = Ollama. */
  connection: z.string().check(z.maxLength(80)),
  /** Ids of connections in the order of lists and the model menu; the others come after them, oldest first. */
  connectionOrder: z.array(z.string().check(z.minLength(1), z.maxLength(80))).check(z.maxLength(200)),
  /** Largest context window asked for, tokens. 0 = what fits the machine. */
  contextMaxTokens: whole("contextMaxTokens"),
  /** Ask models that can think to do so. */
  think: z.boolean(),
  /** Thinking tokens after which the model is asked again without thinking. 0 = no limit. */
  thinkMaxTokens: whole("thinkMaxTokens"),
  /** How long the model stays loaded after an answer, minutes. -1 = for ever. */
  keepAliveMinutes: whole("keepAliveMinutes"),
  /** Temperature of Ollama's models, 0 to 2; null = each model's own. A connection has its own. */
  temperature: z.nullable(z.number().check(z.gte(0), z.lte(2))),
  /** How models call tools for which the user chose no way of their own. */
  toolCalling: z.enum(toolCallings),
  /** Mode of new sessions; Full access is chosen per session only. */
  mode: z.enum([modes[0], modes[1], modes[2]]),
  /** Model turns of one run before it pauses with Continue. */
  maxSteps: whole("maxSteps"),
  /** Minutes of one run, waiting for the user left out, before it pauses with Continue. 0 = no limit. */
  maxRunMinutes: whole("maxRunMinutes"),
  /** Attempts after a model server's failure, with growing pauses. 0 = none. */
  retries: whole("retries"),
  /** Seconds without a byte, after the first one of an answer, until it ends as stalled. 0 = no limit. */
  stallSeconds: whole("stallSeconds"),
  /** Share of the context window, in percent, at which a conversation is compacted. */
  compactionPercent: whole("compactionPercent"),
  /** Newest messages a compaction keeps whole, with their tool results, as far as the window allows. */
  keptMessages: whole("keptMessages"),
  /** Seconds a bash command may run when the model names no timeout. */
  bashTimeoutSeconds: whole("bashTimeoutSeconds"),
  /** Bytes of a command's output the model gets, head and tail. */
  bashOutputBytes: whole("bashOutputBytes"),
  /** Lines one read returns at most. */
  readLines: whole("readLines"),
  /** Matching lines one grep returns at most. */
  grepMatches: whole("grepMatches"),
  /** Paths one find returns at most. */
  findEntries: whole("findEntries"),
  /** Folder levels of the project tree in a session's first message. */
  treeDepth: whole("treeDepth"),
  /** Entries of one folder in that tree. */
  treeFolderEntries: whole("treeFolderEntries"),
  /** First words a shell command may never have, in any position. */
  blockedWords: z.array(z.string().check(z.minLength(1), z.maxLength(60))).check(z.maxLength(200)),
  /** Extra names (one path component each) the model may neither read nor write. */
  protectedNames: z.array(z.string().check(z.minLength(1), z.maxLength(120))).check(z.maxLength(200)),
  /** Folders (one path component each, `*` and `?` allowed) that search, lists and the tree leave out, unless a .gitignore takes them back. */
  ignoredFolders: z
    .array(z.string().check(z.regex(/^(?![!#.]*$)[^!#/\\[\]{}\s][^/\\[\]{}\s]{0,119}$/)))
    .check(z.maxLength(200)),
  /** Extra environment variable names a tool shell may see. */
  shellEnvironment: z.array(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/))).check(z.maxLength(100)),
  theme: z.enum(themes),
  language: z.enum(languages),
  /** enter = Enter sends and Shift+Enter breaks the line; mod-enter = Ctrl/Cmd+Enter sends. */
  sendKey: z.enum(["enter", "mod-enter"]),
  /** Shell commands run fenced in by the operating system, where it can: the project writable, the rest read-only. */
  sandbox: z.boolean(),
  /** Fenced-in commands may use the network. */
  sandboxNetwork: z.boolean(),
});
