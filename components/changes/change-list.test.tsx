// @vitest-environment happy-dom
/** The list of changed files: names beside the diffs, marks, and keys. */
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { ChangedFile } from "@/lib/workspace/changes";
import * as enLate from "../messages/en-late";
import { renderForUser } from "../shell/frame/test-dom";
import { testClient } from "../shell/frame/test-render";
import { ChangeList } from "./change-list";
import { parseDiffLayout } from "./diff-layout";

const projectId = asId<ProjectId>("p1");
const { review } = enLate;
const changeOf = (path: string, text = "new"): ChangedFile => ({
  path,
  kind: "changed",
  added: 1,
  removed: 0,
  hunks: [
    {
      oldStart: 1,
      oldLines: 1,
      newStart: 1,
      newLines: 3,
      lines: [
        { kind: "same", text: "kept", oldLine: 1, newLine: 1 },
        { kind: "add", text, newLine: 2 },
        { kind: "add", text: "more", newLine: 3 },
      ],
    },
  ],
});
const removeKeptLines = (file: ChangedFile): ChangedFile => ({
  ...file,
  kind: "created",
  hunks: file.hunks?.map((hunk) => ({ ...hunk, lines: hunk.lines.filter(({ kind }) => kind === "add") })),
});
const files = ["src/a.ts", "src/b.ts", "docs/c.md"].map((path) => changeOf(path));

beforeEach(() => localStorage.clear());

const show = (shown: readonly ChangedFile[]) =>
  renderForUser(testClient(), <ChangeList projectId={projectId} files={shown} more={0} layout={{}} />);
/** The button with the name of a file, which contains all visible text: the path, then chips and the numbers of lines. */
const headingOf = (path: string): HTMLElement => {
  const section = document.querySelector<HTMLElement>(`[data-file="${path}"]`) ?? document.body;
  return within(section).getByRole("button", { name: (name) => name.replaceAll(" ", "").startsWith(path) });
};
const isOpen = (path: string): boolean => headingOf(path).getAttribute("aria-expanded") === "true";

test("from three files on their names are listed, filtered, and lead to their diffs", async () => {
  const user = await show(files);
  const names = screen.getByRole("navigation", { name: review.files });
  expect(within(names).getAllByRole("button")).toHaveLength(3);
  await user.type(within(names).getByRole("searchbox"), "C.MD");
  await user.click(within(names).getByRole("button"));
  expect(document.activeElement).toBe(headingOf("docs/c.md"));
});

test("without storage a file can be marked as seen too", async () => {
  const fail = (): never => {
    throw new DOMException("The quota is 0.", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: fail, clear: () => undefined });
  onTestFinished(() => void vi.unstubAllGlobals());
  const user = await show(files);
  for (const path of ["src/a.ts", "src/b.ts"])
    await user.click(screen.getByRole("button", { name: review.seen(path) }));
  expect(files.map(({ path }) => isOpen(path))).toEqual([false, false, true]);
});

test("two files have no list", async () => {
  await show(files.slice(1));
  expect(screen.queryByRole("navigation")).toBeNull();
});

test("a file that is marked as seen is collapsed, also later, until its change is another one", async () => {
  const user = await show(files);
  await user.click(screen.getByRole("button", { name: review.seen("src/a.ts") }));
  expect(files.map(({ path }) => isOpen(path))).toEqual([false, true, true]);
  document.body.innerHTML = "";
  await show([changeOf("src/a.ts"), changeOf("src/b.ts", "other")]);
  expect([isOpen("src/a.ts"), isOpen("src/b.ts")]).toEqual([false, true]);
  document.body.innerHTML = "";
  await show([changeOf("src/a.ts", "changed again")]);
  expect(isOpen("src/a.ts")).toBe(true);
});

/** Shows diffs whose lines are 100 px high; returns the scrolls. */
async function showDiffs(shown: readonly ChangedFile[], text: string) {
  const user = await show(shown);
  const first = headingOf(shown[0]?.path ?? "");
  await screen.findAllByText(text);
  const list = first.closest("section")?.parentElement;
  const lines = [...(list?.querySelectorAll("[data-line]") ?? [])];
  const scrolled = vi.fn();
  if (list !== null && list !== undefined) list.scrollBy = scrolled;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    return new DOMRect(0, Math.max(0, lines.indexOf(this)) * 100, 0, 0);
  });
  first.focus();
  return { user, scrolls: scrolled.mock.calls };
}

test("] and [ go to the next and the previous change", async () => {
  const { user, scrolls } = await showDiffs(files, "kept");
  await user.keyboard("]");
  await user.keyboard("[[");
  // The first change of the first file is at 100 px; its second line begins no change.
  expect(scrolls).toEqual([[{ top: 40 }]]);
  vi.restoreAllMocks();
});

test("] is a key also where it is typed with AltGr, which Windows reports as Ctrl+Alt", async () => {
  const { scrolls } = await showDiffs(files, "kept");
  const press = (isAltGr: boolean): void => {
    const event = new KeyboardEvent("keydown", { key: "]", ctrlKey: true, altKey: true, bubbles: true });
    event.getModifierState = (key) => isAltGr && key === "AltGraph";
    document.activeElement?.dispatchEvent(event);
  };
  press(false);
  expect(scrolls).toEqual([]);
  press(true);
  expect(scrolls).toHaveLength(1);
  vi.restoreAllMocks();
});

test("] does not leave out a file whose first line is a change, as is the last one of the file before", async () => {
  const created = ["a.ts", "b.ts"].map((path) => changeOf(path)).map(removeKeptLines);
  const { user, scrolls } = await showDiffs(created, "more");
  await user.keyboard("]");
  expect(scrolls).toEqual([[{ top: 140 }]]);
  vi.restoreAllMocks();
});

test.each([
  [null, { wraps: false }],
  ["{", {}],
  ["7", {}],
  ['{"shape":"split"}', { shape: "split", wraps: false }],
  ['{"shape":"round","wraps":true}', { wraps: true }],
])("a stored layout %j is %j", (text, layout) => expect(parseDiffLayout(text)).toEqual(layout));
