// @vitest-environment happy-dom
import { runInThisContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import { defaultLayout, paneBounds } from "../../state/workbench/layout";
import { firstFieldBoot } from "./first-field";

/** Runs the script of an exported page at this path. */
function boot(path: string): void {
  onTestFinished(() => {
    localStorage.clear();
    sessionStorage.clear();
    document.body.replaceChildren();
    for (const name of ["style", "data-base"]) document.documentElement.removeAttribute(name);
  });
  history.replaceState(null, "", path);
  document.body.innerHTML = "<textarea data-early></textarea>";
  const words = { label: "Message", placeholder: "Write" };
  runInThisContext(firstFieldBoot({ words: { en: words, "zh-CN": words }, wideMinPx: 1_200, phoneMaxPx: 767.98 }));
}

/** Returns what a page reserves in a place of the bare shell if its project has this layout. */
function reserved(name: "bottom" | "after", layout: object): string {
  document.documentElement.removeAttribute("style");
  sessionStorage.setItem("gopi-web.project", "p1");
  localStorage.setItem("gopi-web.layout.p1", JSON.stringify({ ...defaultLayout, ...layout }));
  boot("/");
  return document.documentElement.style.getPropertyValue(`--first-${name}`);
}

test("the field is above the bottom panel if that is open and no editor is", () => {
  expect(reserved("bottom", { bottom: "terminal" })).toBe(`${paneBounds.bottom.normal + 1}px`);
  expect(reserved("bottom", { bottom: "terminal", preset: "code" })).toBe("");
  expect(reserved("bottom", { bottom: "terminal", tabs: ["a.ts"] })).toBe("");
});

test("a closed bottom panel takes no space", () => {
  expect(reserved("bottom", { bottom: null })).toBe("");
});

test("the field is beside the panel if that is on the right of a wide window", () => {
  const layout = { bottom: "terminal", isPanelRight: true };
  vi.stubGlobal("innerWidth", 1_440);
  expect(reserved("bottom", layout)).toBe("");
  expect(reserved("after", layout)).toContain(`${paneBounds.right.normal}px`);
  expect(reserved("after", { ...layout, bottom: null })).toBe("");
  vi.stubGlobal("innerWidth", 1_000);
  expect(reserved("bottom", layout)).not.toBe("");
  expect(reserved("after", layout)).toBe("");
});

test.each([
  ["/ide/", "new"],
  ["/ide/s/s1", "s1"],
  ["/", "new"],
  ["/s/s1", "s1"],
  ["/ide/history", undefined],
])("below the path /ide the page at %s has the field of the draft %s", (path, draft) => {
  document.documentElement.dataset.base = "/ide";
  boot(path);
  expect(document.querySelector("textarea")?.dataset.draftKey).toBe(draft);
});
