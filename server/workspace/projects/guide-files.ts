/**
 * Reads guides: files with instructions for agents, of the project and of its folders. Which file is read, and `@file.md`
 * lines, follow the common practice of agents (https://agents.md, https://code.claude.com/docs/en/memory).
 */
import { posix } from "node:path";
import { serverLimits } from "@/lib/settings/server-limits";
import { modelPath } from "@/server/security/paths/safe-path";
import { isIgnored, type ProjectPolicy } from "../search/ignore-rules";
import type { Files } from "../workspace";

/** A text file; `name` is its path in the project. */
export interface ProjectFile {
  readonly name: string;
  readonly text: string;
}

export interface GuideReader {
  readonly policy: ProjectPolicy;
  readonly files: Pick<Files, "readText">;
  /** Whether the user trusts the project: only then are files read that a guide names. */
  trusted(): boolean;
}

const projectGuideNames = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"];
const folderGuideNames = ["AGENTS.md", "CLAUDE.md"];
const readmeNames = ["README.md", "Readme.md", "readme.md"];

/** Most files that a guide includes. */
const includedMax = 5;
/** Deepest folder whose guide is read. */
const folderDepthMax = 12;

/** The guide of the project and its README; [] = it has neither. */
export async function readProjectGuides(reader: GuideReader): Promise<readonly ProjectFile[]> {
  const [guides, readmes] = await Promise.all([
    readFirst(reader, projectGuideNames, 1),
    readFirst(reader, readmeNames, 1),
  ]);
  return [...(await Promise.all(guides.map((guide) => includeFiles(reader, guide)))), ...readmes];
}

/**
 * The guides of the folders that contain a path, and of the path itself if it is a folder: outer folders first, without
 * the project's own. None of an ignored folder, whose content is not the project's.
 */
export async function readFolderGuides(reader: GuideReader, path: string): Promise<readonly ProjectFile[]> {
  const target = modelPath(path, "read", reader.policy);
  if (!target.ok || !reader.trusted() || target.value.relative === ".") return [];
  const names = target.value.relative.split("/");
  const folders = names.slice(0, folderDepthMax).map((_, index) => names.slice(0, index + 1).join("/"));
  if (await isIgnored(reader.policy, target.value.relative, false)) return [];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const candidates = folderGuideNames.map((name) => `${folder}/${name}`);
      const guides = await readFirst(reader, candidates, 1);
      return Promise.all(guides.map((guide) => includeFiles(reader, guide)));
    }),
  );
  return found.flat();
}

/** Reads the first files of the list that are not blank; names that differ only in case are one file. */
export async function readFirst(
  { policy, files }: Pick<GuideReader, "policy" | "files">,
  names: readonly string[],
  count: number,
): Promise<readonly ProjectFile[]> {
  const found: ProjectFile[] = [];
  for (const name of names) {
    if (found.length === count) break;
    if (found.some((file) => file.name.toLowerCase() === name.toLowerCase())) continue;
    const path = modelPath(name, "read", policy);
    const read = path.ok ? await files.readText(path.value, serverLimits.readMaxBytes) : path;
    if (read.ok && read.value.text.trim() !== "") found.push({ name, text: read.value.text });
  }
  return found;
}

/** Replaces `@file.md` lines by the text of the file, relative to the guide. A line whose file cannot be read remains. */
async function includeFiles(reader: GuideReader, guide: ProjectFile): Promise<ProjectFile> {
  if (!reader.trusted()) return guide;
  const lines = guide.text.split("\n");
  const included = findIncludes(lines).slice(0, includedMax);
  const texts = await Promise.all(
    included.map(async ({ index, path }) => {
      const name = posix.join(posix.dirname(guide.name), path);
      const [file] = await readFirst(reader, [name], 1);
      return file === undefined ? null : { index, text: `${file.name}:\n${file.text.trim()}` };
    }),
  );
  const replaced = new Map(texts.flatMap((text) => (text === null ? [] : [[text.index, text.text] as const])));
  return { ...guide, text: lines.map((line, index) => replaced.get(index) ?? line).join("\n") };
}

/** `@path.md` alone on a line, outside fenced code. */
function findIncludes(lines: readonly string[]): readonly { readonly index: number; readonly path: string }[] {
  let fence: string | null = null;
  return lines.flatMap((line, index) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const path = fence === null ? /^@(?![~/])(\S+\.md)\s*$/i.exec(line)?.[1] : undefined;
    return path === undefined ? [] : [{ index, path }];
  });
}
