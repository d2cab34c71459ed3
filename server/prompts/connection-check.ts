/** Texts sent by the connection test: the sections of connection-check.md. */
import { promptFile } from "./prompts";

/** Returns the section. Throws if it is missing, which a test rules out. */
export function connectionCheckText(name: "answer" | "tools" | "echo"): string {
  const section = promptFile("connection-check.md")
    .split(/^# /m)
    .find((one) => one.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`the words for ${name} are missing`);
  return section.slice(name.length + 1).trim();
}
