import { expect, test } from "vitest";
import { asId, type BlobId } from "@/lib/events/id";
import { computeHash } from "@/server/base/id";
import type { DiskState, ProjectFiles } from "@/server/workspace/files/project-files";
import { makeReviewReader } from "./read-files";
import type { StoredStep } from "./review-history";

/** A file of which the agent wrote each text after the one before, and what was read to review it. */
function makeFile(...texts: readonly string[]) {
  const blobs = new Map(texts.map((text) => [String(computeHash(text)), Buffer.from(text)]));
  const counts = { blobs: 0, probes: 0 };
  const disk: { text: string; stamp: string | null } = { text: texts.at(-1) ?? "", stamp: null };
  const steps = texts.slice(1).map(
    (text, index): StoredStep => ({
      kind: "write",
      seq: index + 1,
      before: { blob: asId<BlobId>(computeHash(texts[index] ?? "")), mode: 0o644 },
      after: computeHash(text),
    }),
  );
  const projectFiles: ProjectFiles = {
    stamp: async () => disk.stamp,
    async probe(): Promise<DiskState> {
      counts.probes += 1;
      return { kind: "file", hash: computeHash(disk.text), mode: 0o644, bytes: Buffer.from(disk.text) };
    },
    text: String,
    write: () => Promise.reject(new Error("written")),
    remove: () => Promise.reject(new Error("removed")),
  };
  const reader = makeReviewReader({
    get(id) {
      counts.blobs += 1;
      return blobs.get(id);
    },
  });
  const order = { projectFiles, path: "a.txt", steps, waiting: [] };
  return { counts, disk, look: () => reader.look(order), read: () => reader.read(order) };
}

test("only the contents before and after a row of writes are read", async () => {
  const { look, counts } = makeFile("a\n", "b\n", "c\n", "d\n");
  expect((await look())?.found).toMatchObject({ added: 1, removed: 1 });
  expect(counts.blobs).toBe(2);
});

test("a file is read again when its stamp changes, and compared again when its content does", async () => {
  const { look, read, counts, disk } = makeFile("a\n", "b\n");
  const first = await look();
  expect(await look()).toEqual(first);
  expect(counts).toEqual({ probes: 2, blobs: 2 });
  disk.stamp = "1";
  await look();
  expect(await look()).toEqual(first);
  expect((await read())?.hash).toBe(first?.hash);
  expect(counts).toEqual({ probes: 3, blobs: 2 });
  disk.stamp = "2";
  disk.text = "b\nmine\n";
  expect((await look())?.hash).not.toBe(first?.hash);
  expect(counts).toEqual({ probes: 4, blobs: 4 });
});
