/** The words of a model's test, from doctor.md: sections by name, with their values put in. Used by the doctor. */
import { promptFile } from "./prompts";

/** Throws when there is no such section, which a test rules out. */
export function doctorText(
  name: "answer" | "tools" | "edit" | "fact" | "filler" | "question",
  values: Readonly<Record<string, string>> = {},
): string {
  const section = promptFile("doctor.md")
    .split(/^# /m)
    .find((one) => one.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`the words for ${name} are missing`);
  const text = section.slice(name.length + 1).trim();
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => values[key] ?? "");
}
