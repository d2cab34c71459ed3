import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTestSourceControl, unwrapValue } from "./test-source-control";

async function withCommit() {
  const source = await makeTestSourceControl();
  const { root, put, git, commands, projectId, trash } = source;
  put("a.txt", "a\n");
  put("folder/b.txt", "b\n");
  symlinkSync("a.txt", join(root, "link"));
  git("add", "-A");
  git("commit", "-qm", "first");
  return {
    ...source,
    at: (path: string): string => join(root, path),
    discard: async (...paths: string[]) => unwrapValue(await commands["source.discard"]({ projectId, paths })),
    async undo(ids: Parameters<typeof trash.restore>[0][]): Promise<void> {
      for (const id of ids) unwrapValue(await trash.restore(id, true));
    },
    state: () => git("status", "--porcelain", "-z"),
  };
}

test("a link is discarded and brought back itself; the file that it names stays", async () => {
  const { at, discard, undo, put, read, state } = await withCommit();
  rmSync(at("link"));
  symlinkSync("folder/b.txt", at("link"));
  put("a.txt", "mine\n");
  const { saved, failed } = await discard("link");
  expect([failed, readlinkSync(at("link")), state()]).toEqual([[], "a.txt", " M a.txt\0"]);
  await undo([...saved]);
  expect([readlinkSync(at("link")), lstatSync(at("a.txt")).isFile()]).toEqual(["folder/b.txt", true]);
  expect(read("a.txt").toString()).toBe("mine\n");
});

test("a file in place of a folder is discarded with the folder's deleted files, in any order", async () => {
  const { at, discard, put, read, state, trash, projectId } = await withCommit();
  rmSync(at("folder"), { recursive: true });
  put("folder", "mine\n");
  expect((await discard("folder/b.txt", "folder")).failed).toEqual([]);
  expect([read("folder/b.txt").toString(), state()]).toEqual(["b\n", ""]);
  expect((await trash.list({ projectId })).entries).toMatchObject([{ path: "folder" }]);
});
