// @vitest-environment happy-dom
import { runInThisContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { defaultLayout, paneBounds } from "../../state/workbench/layout";
import { firstFieldBoot } from "./first-field";

/** Runs the script of a page whose project has this layout; returns the height it reserves for the bottom panel. */
function bottomHeight(layout: object): string {
  onTestFinished(() => {
    localStorage.clear();
    sessionStorage.clear();
    document.body.replaceChildren();
    document.documentElement.removeAttribute("style");
  });
  history.replaceState(null, "", "/");
  sessionStorage.setItem("gopi-web.project", "p1");
  localStorage.setItem("gopi-web.layout.p1", JSON.stringify({ ...defaultLayout, ...layout }));
  document.body.innerHTML = "<textarea data-early></textarea>";
  const words = { label: "Message", placeholder: "Write" };
  runInThisContext(firstFieldBoot({ words: { en: words, "zh-CN": words }, wideMinPx: 1_200, phoneMaxPx: 767.98 }));
  return document.documentElement.style.getPropertyValue("--first-bottom");
}

test("the field is above the bottom panel if that is open", () => {
  expect(bottomHeight({ bottom: "terminal" })).toBe(`${paneBounds.bottom.normal + 1}px`);
});

test("a closed bottom panel takes no space", () => {
  expect(bottomHeight({ bottom: null })).toBe("");
});
