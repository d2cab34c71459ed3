/**
 * The texts the model is told, from the .md files beside this one. They are read when a session gets its model, never at start.
 * Source runs find them here; the build copies server/prompts/*.md to `prompts/` beside (or above) the bundle, where the others look.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Profile } from "@/lib/event";

const read = new Map<string, string>();

/** The text of one file, without blank ends. Throws when it is missing, which is a broken installation. */
export function promptFile(name: string): string {
  const known = read.get(name);
  if (known !== undefined) return known;
  const places = [`./${name}`, `./prompts/${name}`, `../prompts/${name}`].map(
    (place) => new URL(place, import.meta.url),
  );
  const place = places.find((one) => existsSync(one));
  if (place === undefined) throw new Error(`the prompt file ${name} is missing from this installation`);
  const text = readFileSync(place, "utf8").replaceAll("\r\n", "\n").trim();
  read.set(name, text);
  return text;
}

const suffix = (profile: Profile): string => (profile === "small" ? "-small" : "");

/** The system text of a profile: the same bytes in every session and project. */
export const promptFor = (profile: Profile): { readonly system: string } => ({
  system: promptFile(`system${suffix(profile)}.md`),
});

/** What a tool is said to do: the section of tools.md under its name. Throws when there is none, which a test rules out. */
export function toolText(name: string, profile: Profile): string {
  const section = promptFile(`tools${suffix(profile)}.md`)
    .split(/^# /m)
    .find((one) => one.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`the tool ${name} has no description`);
  return section.slice(name.length + 1).trim();
}
