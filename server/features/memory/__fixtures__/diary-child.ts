/** Child process for kill tests: writes lines and notes without end, and reports each one that is written. */
import { writeSync } from "node:fs";
import { ok } from "@/lib/events/error";
import { makeMemoryFiles } from "../memory-files";

const [folder = ""] = process.argv.slice(2);
const files = makeMemoryFiles(folder);

for (let count = 0; ; count += 1) {
  const line = `- ${count} ${"word ".repeat(count % 50)}end`;
  const [diary, notes] = await Promise.all([
    files.append("2026-11-25.md", line),
    files.edit("MEMORY.md", (text) => ok({ text: `${text.split("\n").slice(-20).join("\n")}${line}\n`, value: null })),
  ]);
  if (diary.ok && notes.ok) writeSync(1, `${count}\n`);
}
