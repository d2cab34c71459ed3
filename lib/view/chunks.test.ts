import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, toChunks, iterate, iterateBackward, indexOfSeq, emptyChunks, chunkParts, push, replace } from "./chunks";

const seqs = (count: number) => Array.from({ length: count }, (_, index) => ({ seq: 3 * index + 1 }));

describe("chunks", () => {
  it("behave like an array under push and replace", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("push" as const), item: fc.nat() }),
      fc.record({ kind: fc.constant("replace" as const), item: fc.nat(), at: fc.integer({ min: -2, max: 200 }) }),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 100 }), fc.array(step, { maxLength: 200 }), (start, steps) => {
        let list = toChunks(start);
        const model = [...start];
        for (const one of steps) {
          if (one.kind === "push") {
            list = push(list, one.item);
            model.push(one.item);
          } else {
            list = replace(list, one.at, one.item);
            if (one.at >= 0 && one.at < model.length) model[one.at] = one.item;
          }
        }
        expect([...iterate(list)]).toEqual(model);
        expect([...iterateBackward(list)]).toEqual(model.toReversed());
        expect(chunkParts(list).flat()).toEqual(model);
        expect(list.length).toBe(model.length);
        expect(model.map((_, index) => at(list, index))).toEqual(model);
        expect(at(list, model.length)).toBeUndefined();
      }),
    );
  });

  it("do not modify an older list", () => {
    const before = toChunks([1, 2, 3]);
    replace(push(before, 4), 0, 9);
    expect([...iterate(before)]).toEqual([1, 2, 3]);
  });

  it("share every unchanged part", () => {
    const before = toChunks(Array.from({ length: 1_000 }, (_, index) => index));
    const after = push(replace(before, 40, -1), 5);
    const reusedParts = chunkParts(after).filter((part) => chunkParts(before).includes(part));
    expect(reusedParts.length).toBe(chunkParts(before).length - 2);
  });

  it("find an item by its seq", () => {
    const list = seqs(500).reduce((all, item) => push(all, item), toChunks<{ seq: number }>([]));
    expect(indexOfSeq(list, 1)).toBe(0);
    expect(indexOfSeq(list, 3 * 499 + 1)).toBe(499);
    expect(indexOfSeq(list, 2)).toBe(-1);
    expect(indexOfSeq(emptyChunks, 1)).toBe(-1);
  });
});
