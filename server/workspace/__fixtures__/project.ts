/** A real project folder on disk for tests of the workspace layer. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { modelPath, ownerPath, type PathPolicy, type PathUse, type SafePath } from "@/server/security/paths/safe-path";

export interface TestProject {
  readonly root: string;
  readonly policy: PathPolicy;
  /** Returns the absolute path. */
  at(relative: string): string;
  put(relative: string, content?: string | Uint8Array): void;
  model(text: string, use?: PathUse): SafePath<"model">;
  owner(text: string, use?: PathUse): SafePath<"owner">;
  remove(): void;
}

export function makeTestProject(
  files: { readonly [relative: string]: string } = {},
  protectedNames: string[] = [],
): TestProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gopi-project-")));
  const policy = { root, protectedNames };
  const project: TestProject = {
    root,
    policy,
    at: (relative) => join(root, relative),
    put(relative, content = "") {
      mkdirSync(dirname(join(root, relative)), { recursive: true });
      writeFileSync(join(root, relative), content);
    },
    model: (text, use = "read") => unwrapPath(modelPath(text, use, policy)),
    owner: (text, use = "read") => unwrapPath(ownerPath(text, use, policy)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  for (const [relative, content] of Object.entries(files)) project.put(relative, content);
  return project;
}

function unwrapPath<T>(result: { ok: true; value: T } | { ok: false; error: { code: string } }): T {
  if (!result.ok) throw new Error(`not minted: ${result.error.code}`);
  return result.value;
}

/** Returns the absolute path of a script in this folder. */
export const fixtureScript = (name: string): string => join(import.meta.dirname, name);
