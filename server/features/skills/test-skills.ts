/** Skills in temporary folders for tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Returns the real path of a folder that is removed after the test. */
export function makeTestFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-skills-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file with its folders; returns its path. */
export function writeTestFile(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** The text of a SKILL.md. */
export const skillFile = (name: string, description: string, body = `# ${name}\n\nDo it well.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

/** Writes the skill `name` into a folder of skills; returns the skill's folder. */
export function writeSkill(place: string, name: string, description: string, body?: string): string {
  writeTestFile(join(place, name, "SKILL.md"), skillFile(name, description, body));
  return join(place, name);
}
