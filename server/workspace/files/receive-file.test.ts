import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ok } from "@/lib/events/error";
import { ownerEntryPath } from "@/server/security/paths/safe-path";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "./files";

let project: TestProject;

beforeEach(() => {
  project = makeTestProject();
});
afterEach(() => project.remove());

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const receive = async (name: string, chunks: AsyncIterable<Uint8Array>, size: number | null, maxBytes: number) => {
  const path = ownerEntryPath(name, project.policy);
  if (!path.ok) throw new Error(path.error.code);
  const file = { chunks, size, maxBytes, mode: undefined };
  const received = await makeFiles(project.policy).receive(path.value, file, async (moveTo) => {
    const moved = await moveTo(path.value);
    return moved.ok ? ok("moved") : moved;
  });
  return received.ok ? received.value : received.error.code;
};

test("a file larger than the free space is refused before anything of it is written", async () => {
  const before = readdirSync(project.root);
  expect(await receive("dir/big", chunksOf("a"), 2 ** 62, Number.MAX_VALUE)).toBe("disk_full");
  expect(readdirSync(project.root)).toEqual(before);
});

test("a list of the folder does not show the file before it is complete", async () => {
  const files = makeFiles(project.policy);
  const [path, folder] = [ownerEntryPath("dir/a", project.policy), ownerEntryPath("dir", project.policy)];
  if (!path.ok || !folder.ok) throw new Error("bad path");
  const namesNow = async () => {
    const listed = await files.list(folder.value, 10);
    return listed.ok ? ok(listed.value.entries.map(({ name }) => name)) : listed;
  };
  const file = { chunks: chunksOf("a"), size: null, maxBytes: 10, mode: undefined };
  const during = await files.receive(path.value, file, async (moveTo) => {
    const before = await namesNow();
    expect(readdirSync(project.at("dir"))).toHaveLength(1);
    expect(await moveTo(path.value)).toMatchObject({ ok: true });
    return before;
  });
  expect([during, await namesNow()]).toEqual([ok([]), ok(["a"])]);
});

test("more bytes than the limit are refused, also when no size was announced", async () => {
  const before = readdirSync(project.root);
  expect(await receive("dir/big", chunksOf("abc", "def"), null, 5)).toBe("too_large");
  expect(await receive("dir/big", chunksOf("a"), 6, 5)).toBe("too_large");
  expect(readdirSync(project.root)).toEqual(before);
  expect(await receive("dir/small", chunksOf("abc", "de"), null, 5)).toBe("moved");
  expect(await receive("dir/small", chunksOf("x"), null, 5)).toBe("exists");
  expect(readdirSync(project.at("dir"))).toEqual(["small"]);
});
