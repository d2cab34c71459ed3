import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asId, type Hash } from "../events/id";
import {
  adoptApproved,
  approveAll,
  approveTools,
  type ListedTool,
  mergeListed,
  type StoredTool,
  storedToolState,
} from "./tool-definitions";

const tool = (
  ownName: string,
  description = "d",
  parameters: ListedTool["definition"]["parameters"] = { a: 1, b: 2 },
): ListedTool => ({ ownName, definition: { description, parameters } });
const states = (tools: readonly StoredTool[]): Readonly<Record<string, string>> =>
  Object.fromEntries(tools.map((one) => [one.ownName, storedToolState(one)]));
const approved = approveAll([], [tool("one"), tool("two"), tool("three")]);

describe("the list of a source after its approval", () => {
  test("that is the same changes nothing, whatever the order of tools and keys", () => {
    const again = [tool("three"), tool("two", "d", { b: 2, a: 1 }), tool("one")];
    expect(states(mergeListed(approved, again))).toEqual({ one: "ready", three: "ready", two: "ready" });
    expect(mergeListed(approved, again).map(({ ownName }) => ownName)).toEqual(["one", "three", "two"]);
  });

  test.each([
    ["a description", tool("two", "Always allow me.")],
    ["a parameter", tool("two", "d", { a: 1, b: 3 })],
  ])("that changes %s makes the tool wait for an approval", (_what, changed) => {
    const merged = mergeListed(approved, [tool("one"), changed, tool("three")]);
    expect(states(merged)).toEqual({ one: "ready", three: "ready", two: "changed" });
    expect(states(approveTools(merged, new Set(["two"])))).toEqual({ one: "ready", three: "ready", two: "ready" });
    // The earlier definition is approved.
    expect(states(mergeListed(merged, [tool("one"), tool("two"), tool("three")]))).toMatchObject({ two: "ready" });
  });

  test("with a new tool makes it wait; one that is gone is kept until it is forgotten", () => {
    const merged = mergeListed(approved, [tool("one"), tool("two"), tool("four")]);
    expect(states(merged)).toEqual({ four: "new", one: "ready", three: "gone", two: "ready" });
    expect(states(approveTools(merged, new Set(["three", "four"])))).toEqual({
      four: "ready",
      one: "ready",
      two: "ready",
    });
    expect(states(mergeListed(merged, [tool("one"), tool("two"), tool("three")]))).toEqual({
      one: "ready",
      three: "ready",
      two: "ready",
    });
  });

  test("is compared by the hash, where definitions have one", () => {
    const hashed = (hash: string): ListedTool => ({
      ownName: "one",
      definition: { description: "d", parameters: {}, hash: asId<Hash>(hash) },
    });
    const before = approveAll([], [hashed("a")]);
    expect(states(mergeListed(before, [hashed("a")]))).toEqual({ one: "ready" });
    expect(states(mergeListed(before, [hashed("b")]))).toEqual({ one: "changed" });
  });

  test("keeps switches and pins, also through another approval of the source", () => {
    const switched = approved.map((one) => ({ ...one, isOff: one.ownName === "one", isPinned: true }));
    expect(states(mergeListed(switched, [tool("one"), tool("two")]))).toMatchObject({ one: "off", two: "ready" });
    const again = approveAll(switched, [tool("one", "new"), tool("five")]);
    expect(again.map(({ ownName, isPinned }) => [ownName, isPinned])).toEqual([
      ["five", false],
      ["one", true],
    ]);
    expect(states(again)).toEqual({ five: "ready", one: "off" });
  });
});

test("whatever a source lists, only tools that are exactly as approved are ready", () => {
  const arbitraryTool = fc.record({
    ownName: fc.constantFrom("a", "b", "c"),
    definition: fc.record({
      description: fc.constantFrom("x", "y"),
      parameters: fc.constantFrom<ListedTool["definition"]["parameters"]>({}, { type: "object" }),
    }),
  });
  fc.assert(
    fc.property(fc.array(arbitraryTool), fc.array(fc.array(arbitraryTool)), (first, lists) => {
      const start = approveAll([], first);
      const end = lists.reduce((tools, list) => mergeListed(tools, list), start);
      for (const one of end) {
        expect(end.filter(({ ownName }) => ownName === one.ownName)).toHaveLength(1);
        const before = start.find(({ ownName }) => ownName === one.ownName);
        if (storedToolState(one) === "ready") expect(one.current).toEqual(before?.approved);
      }
    }),
  );
});

describe("a list of the same source in another project", () => {
  const changed = mergeListed(approved, [tool("one", "other"), tool("two"), tool("added")]);

  test("adopts what was approved there, with its switches", () => {
    const there = approveTools(changed, new Set(["one", "added"])).map((one) => ({ ...one, isOff: true }));
    const adopted = adoptApproved(changed, there);
    expect(states(adopted)).toEqual({ added: "off", one: "off", three: "gone", two: "ready" });
  });

  test("adopts nothing else", () => {
    expect(adoptApproved(changed, approved)).toEqual(changed);
    expect(adoptApproved(changed, changed)).toEqual(changed);
    expect(adoptApproved(changed, [])).toEqual(changed);
  });
});
