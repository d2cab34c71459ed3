/** Completes a line of `gopi-web chat`. */
import { modes } from "@/lib/permissions/policy";
import { chatCommands } from "./chat-line";

/** Lists of the server. */
export interface ChatNames {
  models(): Promise<readonly string[]>;
  skills(): Promise<readonly string[]>;
  /** The best match first. */
  files(query: string): Promise<readonly string[]>;
}

/** The choices, and the end of the line that each of them replaces. */
export type Completion = readonly [choices: readonly string[], end: string];

/** `line` is the text before the cursor. */
export async function completeChat(line: string, names: ChatNames): Promise<Completion> {
  const [, command, argument] = /^\/(model|mode) +(\S*)$/.exec(line) ?? [];
  if (argument !== undefined) return fit(command === "mode" ? modes : await names.models(), argument);
  if (/^\/\S*$/.test(line)) {
    const skills = line.startsWith("/s") ? await names.skills() : [];
    return fit(
      [...Object.keys(chatCommands), ...skills.map((name) => `skill:${name}`)].map((name) => `/${name}`),
      line,
    );
  }
  const [, typed, query = ""] = /(?:^|\s)(@"?([^\s"]*))$/.exec(line) ?? [];
  if (typed === undefined) return [[], line];
  const mentions = (await names.files(query)).map((path) => (/\s/.test(path) ? `@"${path}"` : `@${path}`));
  const begun = mentions.filter((each) => each.startsWith(typed));
  // Without a path that begins so, the one whose letters match best.
  return [begun.length > 0 ? begun : mentions.slice(0, 1), typed];
}

const fit = (choices: readonly string[], end: string): Completion => [
  choices.filter((choice) => choice.startsWith(end)),
  end,
];
