// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { mayTakeFocus } from "./focus";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["fine", true],
  ["none", true],
  ["coarse", false],
])("with the pointer %s a new field may take the focus: %s", (pointer, expected) => {
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === `(pointer: ${pointer})` }));
  expect(mayTakeFocus()).toBe(expected);
});
