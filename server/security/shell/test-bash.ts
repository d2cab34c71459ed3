/** Runs commands in a real bash whose programs record how they were started. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { CommandSegment } from "./parsed-command";
import { programName } from "./wrapped-commands";

/** Prepares bash for the tests of a file. The result returns the commands that bash starts for a text. */
export function runBashInTests(): (command: string) => readonly (readonly string[])[] {
  let place = "";
  let runs = 0;
  /**
   * Every program in the folder records the name it was started by and its arguments in a single write, because a
   * background program may still be running.
   */
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), "gopi-shell-"));
    mkdirSync(join(place, "bin"));
    const stub = join(place, "bin", "stub");
    writeFileSync(
      stub,
      `#!/bin/bash\nprintf '%s\\0' "\${0##*/}" "$@" > "$STARTED/.$$" && mv "$STARTED/.$$" "$STARTED/$$.$RANDOM"\n`,
    );
    chmodSync(stub, 0o755);
    for (const name of ["rm", "aa", "bb", "cc"]) symlinkSync("stub", join(place, "bin", name));
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  return (command) => {
    runs += 1;
    const folder = join(place, `run-${runs}`);
    mkdirSync(join(folder, "work"), { recursive: true });
    mkdirSync(join(folder, "started"));
    const env = {
      PATH: `${join(place, "bin")}:/usr/bin:/bin`,
      STARTED: join(folder, "started"),
      empty: "",
      name: "rm",
      NODE_ENV: "test",
    } satisfies NodeJS.ProcessEnv;
    spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", command], {
      cwd: join(folder, "work"),
      env,
      stdio: "ignore",
      timeout: 60_000,
    });
    return readdirSync(join(folder, "started"))
      .filter((file) => !file.startsWith("."))
      .map((file) =>
        readFileSync(join(folder, "started", file), "utf8")
          .split("\0")
          .slice(0, -1),
      );
  };
}

export const namesIn = (segments: readonly CommandSegment[]): readonly string[] =>
  segments.flatMap((segment) => (segment.words[0] === undefined ? [] : [programName(segment.words[0])]));
