/** Texts of the model test: the sections of doctor.md. */
import { promptFile } from "./prompts";

/**
 * Returns the section with its `{{placeholders}}` replaced by `values`. Throws if the section is missing, which a test
 * rules out.
 */
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
