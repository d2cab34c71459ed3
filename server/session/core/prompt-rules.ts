/**
 * The rules that begin the system prompt of a profile: those of a file in the home folder, else those that are shipped. They
 * are read when a session selects its model, so a session keeps the rules it began with.
 */
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Profile } from "@/lib/events/event";
import { type PromptRules, promptRulesMaxChars } from "@/lib/models/prompts";
import { makePrivateFolder, writePrivateFile } from "@/server/store/core/private-file";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { shippedRules } from "@/server/prompts/prompts";

const rulesPath = (home: string, profile: Profile): string => join(home, "prompts", `${profile}.md`);

/** Reads the file, if it has a text of a length that is allowed. */
function readRulesFile(path: string): string | null {
  try {
    const text = readFileSync(path, "utf8").replaceAll("\r\n", "\n").trim();
    return text === "" || text.length > promptRulesMaxChars ? null : text;
  } catch {
    // Without a readable file the shipped rules apply, as the page shows.
    return null;
  }
}

/** `home` = this program's data folder. */
export function readPromptRules(home: string, profile: Profile): PromptRules {
  const path = rulesPath(home, profile);
  const original = shippedRules(profile);
  return { text: readRulesFile(path) ?? original, original, path };
}

/**
 * Replaces the rules; null, the empty text and the shipped text remove the file. Fails with changed_meanwhile if they are not
 * `before` any more, no_permission, disk_full.
 */
export async function writePromptRules(
  home: string,
  profile: Profile,
  text: string | null,
  before: string,
): Promise<Result<null>> {
  const rules = readPromptRules(home, profile);
  if (rules.text !== before) return fail("changed_meanwhile", undefined, { path: rules.path });
  const next = text?.replaceAll("\r\n", "\n").trim() ?? "";
  return catchFileErrors(rules.path, async () => {
    if (next === "" || next === rules.original) rmSync(rules.path, { force: true });
    else {
      makePrivateFolder(dirname(rules.path));
      writePrivateFile(rules.path, `${next}\n`);
    }
    return ok(null);
  });
}
