/** Tests of the image cache: read and encoded once per run, within a limit, and emptied at the end of the run. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { asId, type BlobId } from "@/lib/events/id";
import { makeEncodedImages } from "./encoded-images";

const bytesOf = (size: number): Uint8Array => new Uint8Array(size).fill(size % 251);
const idOf = (size: number): BlobId => asId<BlobId>(`size${size}`);

/** Blobs whose ids contain their sizes, and a record of the reads. */
function scene(maxChars: number) {
  const reads: BlobId[] = [];
  let running = true;
  const images = makeEncodedImages({
    blobs: {
      get(id) {
        reads.push(id);
        const size = Number(id.slice("size".length));
        return Number.isNaN(size) ? undefined : bytesOf(size);
      },
    },
    isRunning: () => running,
    maxChars,
  });
  return { images, reads, end: () => (running = false) };
}

test("the requests of one run read and encode an image once", () => {
  const { images, reads } = scene(1_000);
  const answers = Array.from({ length: 5 }, () => images.get(idOf(300)));
  expect(new Set(answers)).toEqual(new Set([Buffer.from(bytesOf(300)).toString("base64")]));
  expect(reads).toEqual([idOf(300)]);
});

test("nothing is cached after a run, nor outside one", () => {
  const { images, reads, end } = scene(1_000);
  images.get(idOf(3));
  images.clear();
  images.get(idOf(3));
  images.clear();
  end();
  images.get(idOf(3));
  images.get(idOf(3));
  expect(reads).toHaveLength(4);
});

test("a missing image is read again, and one over the limit is never cached", () => {
  const { images, reads } = scene(100);
  expect([images.get(asId<BlobId>("none here")), images.get(asId<BlobId>("none here"))]).toEqual([null, null]);
  images.get(idOf(300));
  images.get(idOf(300));
  expect(reads).toHaveLength(4);
});

test("in any order each result is correct, and the most recent ones within the limit are not read again", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 }), (sizes) => {
      const maxChars = 100;
      const { images, reads } = scene(maxChars);
      for (const size of sizes) expect(images.get(idOf(size))).toBe(Buffer.from(bytesOf(size)).toString("base64"));
      const newest: number[] = [];
      for (const size of [...new Set(sizes.toReversed())]) {
        const chars = [...newest, size].reduce((sum, one) => sum + 4 * Math.ceil(one / 3), 0);
        if (chars > maxChars) break;
        newest.push(size);
      }
      const before = reads.length;
      for (const size of newest) images.get(idOf(size));
      expect(reads.length).toBe(before);
    }),
  );
});
