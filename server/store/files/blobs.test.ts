import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeBlobId } from "@/server/base/id";
import { openTestStore } from "../__fixtures__/home";
import { blobInlineBytes } from "./blobs";

const sizes = [0, 1, 255, blobInlineBytes, blobInlineBytes + 1, 1_048_576, 3 * 1_048_576 + 7];
const filled = (size: number, byte: number): Uint8Array => new Uint8Array(size).fill(byte);

test("content of any size is stored once under the same id, by put, keep and concurrent calls", async () => {
  const store = fc.record({ how: fc.constantFrom("put", "keep"), size: fc.constantFrom(...sizes), byte: fc.nat(1) });
  await fc.assert(
    fc.asyncProperty(fc.array(store, { maxLength: 6 }), async (calls) => {
      const { blobs, path } = openTestStore();
      const ids = await Promise.all(
        calls.map(({ how, size, byte }) =>
          how === "put" ? blobs.put(filled(size, byte)) : blobs.putAsync(filled(size, byte)),
        ),
      );
      for (const [index, { size, byte }] of calls.entries()) {
        const bytes = filled(size, byte);
        const id = computeBlobId(bytes);
        expect(ids[index]).toBe(id);
        expect(Buffer.from(blobs.get(id) ?? "gone").equals(bytes)).toBe(true);
        if (size <= blobInlineBytes) continue;
        const folder = join(dirname(path), "blobs", id.slice(0, 2));
        expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
        expect(readFileSync(join(folder, id)).length).toBe(size);
        expect(statSync(join(folder, id)).mode & 0o777).toBe(0o600);
      }
    }),
    { numRuns: 20 },
  );
});

test("keep does not block the event loop while it stores a large blob", async () => {
  const { blobs } = openTestStore();
  let turns = 0;
  let running = true;
  const count = (): void => {
    turns += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await blobs.putAsync(filled(32 * 1_048_576, 3));
  running = false;
  expect(turns).toBeGreaterThan(20);
});

test("a blob that cannot be written is a StoreError and leaves no file", async () => {
  const { blobs, path } = openTestStore();
  const bytes = filled(blobInlineBytes + 1, 5);
  const id = computeBlobId(bytes);
  const folder = join(dirname(path), "blobs", id.slice(0, 2));
  mkdirSync(join(folder, id, "in the way"), { recursive: true });
  await expect(blobs.putAsync(bytes)).rejects.toMatchObject({ name: "StoreError" });
  expect(readdirSync(folder)).toEqual([id]);
  expect(blobs.has(id)).toBe(false);
});
