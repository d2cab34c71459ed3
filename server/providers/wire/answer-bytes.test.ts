/** A fast model server must not starve the event loop. */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { withStallLimit } from "./answer-bytes";

test("other work runs between chunks that have all arrived", async () => {
  const chunks = Array.from({ length: 50 }, (_, index) => Uint8Array.of(index));
  const body = Readable.from(chunks);
  const response = { status: 200, statusText: "OK", header: () => undefined, body, destroy: () => void body.destroy() };
  let turns = 0;
  let running = true;
  const count = (): void => {
    turns += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const read: number[] = [];
  for await (const chunk of withStallLimit(response, () => undefined)) {
    for (const end = performance.now() + 11; performance.now() < end; );
    read.push(...chunk);
  }
  running = false;
  expect(read).toEqual(chunks.map(([byte]) => byte));
  expect(turns).toBeGreaterThanOrEqual(chunks.length);
});
