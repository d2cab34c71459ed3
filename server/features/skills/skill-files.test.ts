/** Files of a skill while another program replaces folders by links: real processes and files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readFileInside } from "@/server/workspace/files/read-file-inside";

/** Exchanges two names without end. */
const exchange = `
import { renameSync } from "node:fs";
const [one, other] = process.argv.slice(1);
process.stdout.write("started\\n");
for (;;) {
  renameSync(one, one + ".kept"); renameSync(other, one); renameSync(one, other); renameSync(one + ".kept", one);
}`;

test.each(["SKILL.md", "sub/file.md"])("%s is never read through a link that leads out", async (path) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gopi-skill-files-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, outside] = [join(root, "skill"), join(root, "outside")];
  for (const [place, text] of [
    [folder, "inside"],
    [outside, "secret"],
  ] as const) {
    mkdirSync(join(place, "sub"), { recursive: true });
    for (const name of ["SKILL.md", "sub/file.md"]) writeFileSync(join(place, name), text);
  }
  const replaced = path === "SKILL.md" ? folder : join(folder, "sub");
  symlinkSync(path === "SKILL.md" ? outside : join(outside, "sub"), join(root, "link"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", exchange, replaced, join(root, "link")]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const texts = new Set<string>();
  for (let count = 0; count < 4_000; count += 1) {
    const read = await readFileInside(folder, path);
    texts.add(read.ok ? Buffer.from(read.value).toString() : "refused");
  }
  expect(texts).toContain("refused");
  expect(texts).not.toContain("secret");
});
