// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { isConversationTarget, mayTakeFocus } from "./focus";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["fine", true],
  ["none", true],
  ["coarse", false],
])("with the pointer %s a new field may take the focus: %s", (pointer, expected) => {
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === `(pointer: ${pointer})` }));
  expect(mayTakeFocus()).toBe(expected);
});

test.each([
  ["<div role=log><button>x</button></div>", true],
  ["<div data-composer><button>x</button></div>", true],
  ["<nav><button>x</button></nav>", false],
  ["<div data-editor><button>x</button></div>", false],
])("Esc stops a run from %s: %s", (html, expected) => {
  document.body.innerHTML = html;
  expect(isConversationTarget(document.querySelector("button"))).toBe(expected);
});

test("Esc stops a run where nothing has the focus", () => {
  expect(isConversationTarget(document.body)).toBe(true);
  expect(isConversationTarget(null)).toBe(false);
});
