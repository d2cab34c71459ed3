// `gopi-web export` and `import`: a session leaves one home and continues in another.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRow } from "@/lib/protocol/session-row";
import { callCommand } from "../../fixtures/call-command";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { findRunningServer, ProductCommand, productProgram } from "../../fixtures/server";

test("a session is printed, written into a new file only, and imported into another home", async ({ place, model }) => {
  model.setScript({ turns: [{ text: "It is a 项目." }] });
  const command = (...words: readonly string[]) => new ProductCommand(place, words).done();
  await command("run", "What is this?");
  const [row] = (await callCommand(findRunningServer(place.home), "session.list", {})).rows;
  const id = row?.id ?? "";

  const printed = await command("export", id.slice(0, -4));
  expect(printed).toMatchObject({ code: 0, stderr: "" });
  expect(printed.stdout).toContain("What is this?");
  expect(printed.stdout).toContain("It is a 项目.");

  const file = join(place.root, "chat.jsonl");
  expect(await command("export", id, "-o", file)).toEqual({ code: 0, stdout: "", stderr: "" });
  const text = readFileSync(file, "utf8");
  expect(text.split("\n").length).toBeGreaterThan(3);
  expect(await command("export", id, "-o", file, "--format", "html")).toEqual({
    code: 1,
    stdout: "",
    stderr: `gopi-web: ${file} exists already; choose another name or remove it first\n`,
  });
  expect(readFileSync(file, "utf8")).toBe(text);
  const inShell = (line: string, ...words: readonly string[]) =>
    spawnSync("bash", ["-c", line, "-", process.execPath, productProgram, "export", id, ...words], {
      env: { ...place.environment, GOPI_HOME: place.home },
      encoding: "utf8",
    });
  const full = inShell('"$@" > /dev/full');
  expect(full).toMatchObject({ status: 1, stderr: "gopi-web: the output can't be written (ENOSPC)\n" });
  const half = join(place.root, "half.jsonl");
  expect(inShell('ulimit -f 1; "$@"', "-o", half)).toMatchObject({
    status: 1,
    stderr: `gopi-web: ${half} can't be written (EFBIG)\n`,
  });
  expect(existsSync(half)).toBe(false);
  const lost = await command("export", id, "-o", join(place.root, "no/folder.md"));
  expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining("its folder does not exist") });

  const other = join(place.root, "other-home");
  mkdirSync(other);
  const imported = await command("import", file, "--json", "--home", other);
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  const copy: SessionRow = JSON.parse(imported.stdout);
  expect(copy).toMatchObject({ title: "What is this?", cwd: place.project, imported: true });
  const again = await command("export", copy.id, "--home", other);
  expect(again.stdout).toContain("It is a 项目.");
  await endBackgroundServer({ ...place, home: other });
  await endBackgroundServer(place);
});

test("an id that is unknown or of several sessions, and a file that is no session: exit 1 and what to do", async ({
  place,
}) => {
  const command = (...words: readonly string[]) => new ProductCommand(place, words).done();
  for (const prompt of ["one", "two"]) await command("run", prompt);
  const { rows } = await callCommand(findRunningServer(place.home), "session.list", {});
  const [one = "", two = ""] = rows.map(({ id }) => id);
  const length = [...one].findIndex((char, index) => two[index] !== char);
  const several = await command("export", one.slice(0, length));
  expect(several).toMatchObject({ code: 1, stdout: "" });
  expect(several.stderr).toContain(`2 sessions begin with ${one.slice(0, length)}: `);
  expect(await command("export", "xnone")).toEqual({
    code: 1,
    stdout: "",
    stderr: "gopi-web: there is no session xnone; gopi-web get sessions lists them\n",
  });
  const file = join(place.root, "wrong.jsonl");
  writeFileSync(file, "no session\n");
  execFileSync("mkfifo", [join(place.root, "pipe")]);
  expect(await command("import", join(place.root, "pipe"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("pipe is not a file"),
  });
  const wrong = await command("import", file);
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("this is not a session that can be imported"),
  });
  await endBackgroundServer(place);
});
