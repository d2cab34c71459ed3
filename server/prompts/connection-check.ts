/** The words that a connection's test sends, from connection-check.md: sections by name. Used by providers. */
import { promptFile } from "./prompts";

/** Throws when there is no such section, which a test rules out. */
export function checkText(name: "answer" | "tools" | "echo"): string {
  const section = promptFile("connection-check.md")
    .split(/^# /m)
    .find((one) => one.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`the words for ${name} are missing`);
  return section.slice(name.length + 1).trim();
}
