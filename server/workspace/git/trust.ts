/**
 * Finds content of a folder that makes programs run code or changes their behaviour: a bounded check of a few
 * names and of git's settings, read as text. Runs nothing.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TrustFinding } from "@/lib/permissions/guard";
import { readFileStart } from "../files/read-file-start";
import { findGitPrograms } from "./git-config-text";
import { findGitFolders } from "./git-folders";

/** Maximum findings of a project. */
export const trustFindings = 100;
/** Bytes read of one file. */
const trustFileBytes = 262_144;

type TrustFindingKind = TrustFinding["kind"];

/** Paths that are reported if they exist. */
const namedFindings: readonly (readonly [path: string, kind: TrustFindingKind])[] = [
  ["AGENTS.md", "instructions"],
  ["CLAUDE.md", "instructions"],
  ["CLAUDE.local.md", "instructions"],
  ["GEMINI.md", "instructions"],
  [".cursorrules", "instructions"],
  [".cursor/rules", "instructions"],
  [".windsurfrules", "instructions"],
  [".clinerules", "instructions"],
  [".github/copilot-instructions.md", "instructions"],
  [".gopi/skills", "instructions"],
  [".agents/skills", "instructions"],
  [".claude/skills", "instructions"],
  [".ollama/skills", "instructions"],
  [".gopi/extensions", "extensions"],
  [".gopi/workflows", "instructions"],
  [".gopi/commands", "instructions"],
  [".claude/commands", "instructions"],
  [".opencode/command", "instructions"],
  [".opencode/commands", "instructions"],
  [".husky", "hook_manager"],
  [".githooks", "hook_manager"],
  [".pre-commit-config.yaml", "hook_manager"],
  [".pre-commit-config.yml", "hook_manager"],
  ["lefthook.yml", "hook_manager"],
  [".lefthook.yml", "hook_manager"],
  [".lefthook", "hook_manager"],
  [".vscode/tasks.json", "editor"],
  [".vscode/settings.json", "editor"],
  [".vscode/launch.json", "editor"],
  [".idea", "editor"],
  [".devcontainer", "editor"],
  [".devcontainer.json", "editor"],
  [".zed/settings.json", "editor"],
  [".mcp.json", "mcp"],
  ["mcp.json", "mcp"],
  [".cursor/mcp.json", "mcp"],
  [".vscode/mcp.json", "mcp"],
  [".gopi/mcp.json", "mcp"],
];

/** Returns at most `trustFindings` findings; skips unreadable files. Never rejects. */
export async function findTrustFindings(root: string): Promise<readonly TrustFinding[]> {
  const [git, hooks, rest] = await Promise.all([
    findGitSettings(root),
    findGitHooks(root),
    Promise.all(
      namedFindings.map(async ([path, kind]) => ((await pathExists(join(root, path))) ? [{ kind, path }] : [])),
    ),
  ]);
  return [...git, ...hooks, ...rest.flat()].slice(0, trustFindings);
}

async function pathExists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

async function findGitSettings(root: string): Promise<readonly TrustFinding[]> {
  const { common } = await findGitFolders(root);
  const files = ["config", "config.worktree"];
  const found = await Promise.all(
    files.map(async (name) => {
      const text = await readFileStart(join(common, name), trustFileBytes);
      return text === null
        ? []
        : findGitPrograms(text.toString()).map((detail) => gitProgramFinding(`.git/${name}`, detail));
    }),
  );
  return found.flat();
}

const gitProgramFinding = (path: string, detail: string): TrustFinding => ({ kind: "git_program", path, detail });

/** Finds the hooks git would run: executable files, without samples. */
async function findGitHooks(root: string): Promise<readonly TrustFinding[]> {
  const folder = join((await findGitFolders(root)).common, "hooks");
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith(".sample")).sort();
  const found = await Promise.all(
    names.slice(0, trustFindings).map(async (name) => {
      const stats = await stat(join(folder, name)).catch(() => null);
      const runs = stats?.isFile() === true && (stats.mode & 0o111) !== 0;
      return runs ? [{ kind: "git_hook" as const, path: `.git/hooks/${name}` }] : [];
    }),
  );
  return found.flat();
}
