/** What a setting may be, with units. Parsed at the door and when the store is read; never in the browser. */
import * as z from "zod/mini";
import { modes } from "./policy";
import { languages, themes } from "./settings";

export const settingsSchema = z.object({
  /** Address of the Ollama server; empty = OLLAMA_HOST, else http://127.0.0.1:11434. */
  ollamaHost: z.string().check(z.maxLength(300)),
  /** Model for new sessions; empty = the first installed of preferredModels, else the first installed. */
  model: z.string().check(z.maxLength(200)),
  /** Where new sessions get their model: a connection's id; empty = Ollama. */
  connection: z.string().check(z.maxLength(80)),
  /** Largest context window asked for, tokens. 0 = what fits the machine. */
  contextMaxTokens: z.int().check(z.gte(0), z.lte(262_144)),
  /** Ask models that can think to do so. */
  think: z.boolean(),
  /** Thinking tokens after which the model is asked again without thinking. 0 = no limit. */
  thinkMaxTokens: z.int().check(z.gte(0), z.lte(262_144)),
  /** How long the model stays loaded after an answer, minutes. -1 = for ever. */
  keepAliveMinutes: z.int().check(z.gte(-1), z.lte(1440)),
  /** Mode of new sessions; Full access is chosen per session only. */
  mode: z.enum([modes[0], modes[1], modes[2]]),
  /** Model turns of one run before it pauses with Continue. */
  maxSteps: z.int().check(z.gte(1), z.lte(500)),
  /** Minutes of one run, waiting for the user left out, before it pauses with Continue. 0 = no limit. */
  maxRunMinutes: z.int().check(z.gte(0), z.lte(1440)),
  /** Attempts after a model server's failure, with growing pauses. 0 = none. */
  retries: z.int().check(z.gte(0), z.lte(10)),
  /** Seconds without a byte, after the first one of an answer, until it ends as stalled. 0 = no limit. */
  stallSeconds: z.int().check(z.gte(0), z.lte(3_600)),
  /** Share of the context window, in percent, at which a conversation is compacted. */
  compactionPercent: z.int().check(z.gte(30), z.lte(85)),
  /** Newest messages a compaction keeps whole, with their tool results, as far as the window allows. */
  keptMessages: z.int().check(z.gte(1), z.lte(40)),
  /** Seconds a bash command may run when the model names no timeout. */
  bashTimeoutSeconds: z.int().check(z.gte(1), z.lte(600)),
  /** Bytes of a command's output the model gets, head and tail. */
  bashOutputBytes: z.int().check(z.gte(1_024), z.lte(65_536)),
  /** Lines one read returns at most. */
  readLines: z.int().check(z.gte(20), z.lte(5_000)),
  /** Matching lines one grep returns at most. */
  grepMatches: z.int().check(z.gte(5), z.lte(1_000)),
  /** Paths one find returns at most. */
  findEntries: z.int().check(z.gte(10), z.lte(1_000)),
  /** Folder levels of the project tree in a session's first message. */
  treeDepth: z.int().check(z.gte(1), z.lte(5)),
  /** Entries of one folder in that tree. */
  treeFolderEntries: z.int().check(z.gte(5), z.lte(500)),
  /** First words a shell command may never have, in any position. */
  blockedWords: z.array(z.string().check(z.minLength(1), z.maxLength(60))).check(z.maxLength(200)),
  /** Extra names (one path component each) the model may neither read nor write. */
  protectedNames: z.array(z.string().check(z.minLength(1), z.maxLength(120))).check(z.maxLength(200)),
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
