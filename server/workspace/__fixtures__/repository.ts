/** A real Git repository on disk for tests; removed after the test. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Returns a folder that is not a repository yet: `git("init")` makes it one. `home` is its parent. */
export function makeTestRepository() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "gopi-git-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, "project");
  mkdirSync(root);
  const environment = { PATH: process.env.PATH, HOME: home, NODE_ENV: "test" as const };
  return {
    home,
    root,
    environment,
    put(path: string, content: string): void {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    git: (...words: readonly string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        cwd: root,
        env: environment,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
  };
}
