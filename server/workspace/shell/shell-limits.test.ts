/** Limits of commands that run without an approval: what fills disk or memory fails, what only reads much does not. */
import { createWriteStream, statSync } from "node:fs";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeShell } from "./shell";

const never = new AbortController().signal;
/** Memory of macOS processes cannot be limited. */
const hasMemoryLimit = process.platform === "linux";
let project: TestProject;

beforeAll(async () => {
  project = makeTestProject({ "a.txt": "a\n" });
  const lines = Buffer.from(`${"all work and no play ".repeat(5)}\n`.repeat(10_000));
  const large = createWriteStream(project.at("100-mb.txt"));
  for (let bytes = 0; bytes < 100_000_000; bytes += lines.length) if (!large.write(lines)) await once(large, "drain");
  await new Promise<void>((resolve) => large.end(() => resolve()));
  await run("git init -q . && git add a.txt && git -c user.name=a -c user.email=a@b.c commit -qm one", false);
});
afterAll(() => project.remove());

async function run(command: string, isLimited: boolean) {
  const shell = makeShell({ root: project.root, environment: () => ({ PATH: process.env.PATH ?? "", LC_ALL: "C" }) });
  let output = "";
  const onOutput = (text: string): void => void (output += text);
  const { exit } = await shell.run(command, { timeoutMs: 60_000, onOutput, isLimited }, never);
  return { exit, output };
}

describe("a command without an approval", () => {
  test("cannot write a large file", async () => {
    const command = "dd if=/dev/zero of=big bs=1 count=1 seek=600M 2>/dev/null";
    expect((await run(command, true)).exit).not.toBe(0);
    expect(statSync(project.at("big")).size).toBe(0);
    expect((await run(command, false)).exit).toBe(0);
  });

  test
    .runIf(hasMemoryLimit)
    .each([["dd bs=2200M count=1 if=/dev/null of=/dev/null"], ["od -w1100000000 a.txt > /dev/null"]])(
    "cannot take much memory: %s",
    async (command) => {
      const { exit, output } = await run(command, true);
      expect(exit).not.toBe(0);
      expect(output).toContain("memory exhausted");
    },
  );

  test.each([
    ["sort 100-mb.txt | tail -n 1 | cut -c 1-8", "all work\n"],
    ["grep -c work 100-mb.txt", /^9\d{5}\n$/],
    ["cat 100-mb.txt | wc -c", /^10\d{7}\n$/],
    ["sort -u 100-mb.txt | wc -l", "1\n"],
    ["git log --oneline --stat | wc -l", /^[1-9]/],
    ["git diff HEAD -- a.txt", ""],
  ])("reads as any other: %s", async (command, expected) => {
    const { exit, output } = await run(command, true);
    expect(exit).toBe(0);
    if (typeof expected === "string") expect(output).toBe(expected);
    else expect(output).toMatch(expected);
  });
});
