import { expect, test } from "vitest";
import { createVersionReads } from "./range-reader";

test("a read after the end, as an animation frame may request it, reads nothing", async () => {
  let reads = 0;
  let applied = 0;
  const read = async () => {
    reads += 1;
    return { bytes: new Uint8Array(1), from: 0, size: 9, tag: "one" };
  };
  const version = createVersionReads({ read }, () => undefined);
  const apply = (): void => void (applied += 1);
  await version.read(0, 1, apply);
  expect([reads, applied]).toEqual([1, 1]);
  version.stop();
  await version.read(1, 2, apply);
  expect([reads, applied]).toEqual([1, 1]);
});
