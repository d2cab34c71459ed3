/** Slash commands that are Markdown files: of this program's home, and in the folders of other agents in trusted projects. */
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { firstSentence } from "@/server/tools/toolbox/foreign-text";
import { parseDefinitionYaml } from "@/server/base/parse-yaml";
import { findFolder, readFileInside } from "@/server/workspace/files/read-file-inside";
import { decodePlainText } from "./decode-text";

interface MarkdownCommand {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  readonly file: string;
}

const maxFiles = 100;
const maxBytes = 65_536;
const maxDepth = 2;
const maxFrontmatterChars = 4_096;
/** A folder below the folder of commands begins the name of its commands. */
const commandFile = /^(?:[a-z0-9][a-z0-9_-]*\/)?[a-z0-9][a-z0-9_-]{0,39}\.md$/i;

export const homeCommandFolder = (home: string): string => join(home, "commands");
export const projectCommandFolders = [".gopi/commands", ".claude/commands", ".opencode/command", ".opencode/commands"];

/** Reads the commands of a folder; links out of it, and out of `within`, are left out. Rejects when the signal fires. */
export async function readMarkdownCommands(
  folder: string,
  within: string | null,
  signal: AbortSignal,
): Promise<readonly MarkdownCommand[]> {
  const root = await findFolder(folder, within);
  if (root === null) return [];
  const files = (await listFiles(root, 1)).toSorted().slice(0, maxFiles);
  const commands: MarkdownCommand[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    const path = relative(root, file);
    if (!commandFile.test(path)) continue;
    const bytes = await readFileInside(root, path, maxBytes);
    const text = bytes.ok ? decodePlainText(bytes.value) : null;
    if (text === null || text.trim() === "") continue;
    const { description, body } = readCommandFile(text);
    const name = path.slice(0, -".md".length).replace("/", ":").toLowerCase();
    commands.push({ name, description, prompt: body, file: join(folder, path) });
  }
  return commands;
}

async function listFiles(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const lists = await Promise.all(
    entries.slice(0, 1_000).map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth < maxDepth ? listFiles(path, depth + 1) : [];
      return entry.name.endsWith(".md") ? [path] : [];
    }),
  );
  return lists.flat();
}

/** The description of the frontmatter, else the first sentence of the text. */
function readCommandFile(text: string): { readonly description: string; readonly body: string } {
  const [all, yaml] = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const body = (all === undefined ? text : text.slice(all.length)).trim();
  const described = yaml === undefined || yaml.length > maxFrontmatterChars ? null : readDescription(yaml);
  return { description: described ?? firstSentence(body), body };
}

function readDescription(text: string): string | null {
  const yaml = parseDefinitionYaml(text);
  if (yaml.faults.length > 0) return null;
  const { value } = yaml;
  if (typeof value !== "object" || value === null || !("description" in value)) return null;
  return typeof value.description === "string" ? firstSentence(value.description, 200) : null;
}
