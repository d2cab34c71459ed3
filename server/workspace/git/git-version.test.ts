import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { makeTestRepository } from "../__fixtures__/repository";
import { isSupportedVersion } from "./git-version";
import { readSourceStatus } from "./source-status";

const never = new AbortController().signal;

test.each([
  ["git version 2.30.9", false],
  ["git version 1.8.3.1", false],
  ["git version 2.9.5", false],
  ["git version 2.31.0\n", true],
  ["git version 2.39.5 (Apple Git-154)", true],
  ["git version 2.45.1.windows.1", true],
  ["git version 2.51.0.rc1.12.g0123456", true],
  ["git version 3.0.0", true],
  ["hub version 2.14.2", true],
])("%s", (printed, isSupported) => {
  expect(isSupportedVersion(printed)).toBe(isSupported);
});

test("an old git is not run in the project, until a newer one is in its place", async () => {
  const { root, home, git, environment } = makeTestRepository();
  git("init", "-q");
  const bin = join(home, "bin");
  const program = join(bin, "git");
  mkdirSync(bin);
  const print = (line: string): void => writeFileSync(program, `#!/bin/sh\necho "$@" >> '${home}/calls'\n${line}\n`);
  print("echo git version 2.25.1");
  chmodSync(program, 0o755);
  const status = () =>
    readSourceStatus(
      { root, trusted: () => true },
      { ...environment, PATH: `${bin}${delimiter}${environment.PATH ?? ""}` },
      never,
    );
  expect(await status()).toEqual({ ok: true, value: { kind: "none", why: "old_git" } });
  rmSync(program);
  expect(await status()).toMatchObject({ value: { kind: "status" } });
});
