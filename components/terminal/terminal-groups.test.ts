import fc from "fast-check";
import { expect, test } from "vitest";
import { asId, type TerminalId } from "@/lib/events/id";
import { addBeside, neighbourOf, reconcileGroups } from "./terminal-groups";

const id = (text: string): TerminalId => asId<TerminalId>(text);
const [a, b, c, d] = [id("a"), id("b"), id("c"), id("d")];

test("terminals that ended disappear, new ones become tabs at the end", () => {
  expect(reconcileGroups([[a, b], [c]], [b, d])).toEqual([[b], [d]]);
});

test("a split is beside its terminal, also when the list already has it as a tab", () => {
  expect(addBeside([[a], [b], [c]], a, c)).toEqual([[a, c], [b]]);
  expect(addBeside([[a]], d, c)).toEqual([[a], [c]]);
});

test("after closing, the neighbour in the tab is shown, then the next tab, then the one before", () => {
  expect(neighbourOf([[a, b], [c]], a)).toBe(b);
  expect(neighbourOf([[a], [b], [c]], b)).toBe(c);
  expect(neighbourOf([[a], [b]], b)).toBe(a);
  expect(neighbourOf([[a]], a)).toBeNull();
});

test("every existing terminal is in exactly one group, whatever was stored", () => {
  const ids = fc.uniqueArray(fc.constantFrom(a, b, c, d));
  fc.assert(
    fc.property(fc.array(ids), ids, (stored, existing) => {
      const groups = reconcileGroups(stored, existing);
      expect(groups.flat().toSorted()).toEqual([...existing].toSorted());
      expect(groups.every((group) => group.length > 0)).toBe(true);
    }),
  );
});
