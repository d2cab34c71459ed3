import { rmSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { makeTestProject } from "../__fixtures__/project";
import { makeFiles } from "./files";
import { toFileFailure } from "./file-errors";

test("a name that is not UTF-8 is the reason why its file is not found", async () => {
  const project = makeTestProject({ "a/1.txt": "1" });
  onTestFinished(() => project.remove());
  writeFileSync(Buffer.concat([Buffer.from(`${project.at("a")}/`), Buffer.from("b\xe9.txt", "latin1")]), "2");
  const files = makeFiles({ root: project.root, protectedNames: [] });
  const path = project.owner("a/b\ufffd.txt");
  for (const result of [await files.info(path), await files.moveOut(path, project.at("trash"))])
    expect(result).toMatchObject({ ok: false, error: { code: "unreadable_name" } });
  expect(JSON.stringify(await files.info(path))).not.toContain("/proc");
});

test("no failure has the path of a descriptor in its text", async () => {
  const project = makeTestProject({ "a.txt": "x" });
  onTestFinished(() => project.remove());
  const files = makeFiles({ root: project.root, protectedNames: [] });
  const gone = project.model("a.txt", "read");
  rmSync(project.at("a.txt"));
  const failed = await files.info(gone);
  expect(failed).toMatchObject({ ok: false, error: { code: "not_found" } });
  expect(JSON.stringify(failed)).not.toContain("/proc");
  for (const message of [
    "EIO: i/o error, scandir '/proc/self/fd/21'",
    "EXDEV: x, rename '/proc/self/fd/3/a b' -> '/proc/self/fd/4/c'",
  ])
    expect(JSON.stringify(toFileFailure(Object.assign(new Error(message), { code: "EIO" }), "a.txt"))).not.toContain(
      "/proc",
    );
});
