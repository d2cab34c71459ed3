// @vitest-environment happy-dom
import { runInThisContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
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

/** Returns the height that a page reserves for the bottom panel if its project has this layout. */
function bottomHeight(layout: object): string {
  sessionStorage.setItem("gopi-web.project", "p1");
  localStorage.setItem("gopi-web.layout.p1", JSON.stringify({ ...defaultLayout, ...layout }));
  boot("/");
  return document.documentElement.style.getPropertyValue("--first-bottom");
}

test("the field is above the bottom panel if that is open", () => {
  expect(bottomHeight({ bottom: "terminal" })).toBe(`${paneBounds.bottom.normal + 1}px`);
});

test("a closed bottom panel takes no space", () => {
  expect(bottomHeight({ bottom: null })).toBe("");
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
