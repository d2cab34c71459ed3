// @vitest-environment happy-dom
import { cleanup, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { useFollowEnd } from "./use-follow-end";

/** Renders the hook with a box of 100 px at the end of its content of 1,000 px. */
function showList() {
  const box = document.createElement("div");
  const size = { scrollHeight: 1_000, clientHeight: 100 };
  for (const name of ["scrollHeight", "clientHeight"] as const)
    Object.defineProperty(box, name, { configurable: true, get: () => size[name] });
  const scrollToEnd = vi.fn(() => {
    box.scrollTop = size.scrollHeight - size.clientHeight;
  });
  onTestFinished(cleanup);
  const view = renderHook(() => useFollowEnd({ list: { scrollToEnd }, box: { current: box }, nearPx: 20, isOn: true }));
  return { box, size, scrollToEnd, ...view };
}

test("content that grows keeps the end in view", () => {
  const { box, size, rerender } = showList();
  expect(box.scrollTop).toBe(900);
  size.scrollHeight = 1_200;
  rerender();
  expect(box.scrollTop).toBe(1_100);
});

test("a scroll by the program leaves the end, however late its event comes and whatever changed until then", () => {
  const { box, size, result, rerender } = showList();
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1_000));
  onTestFinished(() => clock.mockRestore());
  result.current.scrollByProgram(() => {
    box.scrollTop = 300;
  });
  size.scrollHeight = 1_200;
  result.current.onScroll();
  rerender();
  expect(box.scrollTop).toBe(300);
});

test("a scroll by the program to the end follows it again", () => {
  const { box, size, result, rerender } = showList();
  result.current.scrollByProgram(() => {
    box.scrollTop = 300;
  });
  result.current.scrollByProgram(() => {
    box.scrollTop = 900;
  });
  size.scrollHeight = 1_200;
  rerender();
  expect(box.scrollTop).toBe(1_100);
});

test("a box that grows does not leave the end, also if its content was shorter for a moment", () => {
  const { box, size, result, rerender } = showList();
  size.clientHeight = 400;
  box.scrollTop = 600;
  rerender();
  // The content was 50 px shorter, which the browser answers with a scroll, and is as before again.
  box.scrollTop = 550;
  result.current.onScroll();
  rerender();
  expect(box.scrollTop).toBe(600);
});

test("a scroll up without a change of the box leaves the end, however it was made", () => {
  const { box, result, rerender } = showList();
  result.current.onScroll();
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1_000));
  onTestFinished(() => clock.mockRestore());
  box.scrollTop = 850;
  result.current.onScroll();
  rerender();
  expect(box.scrollTop).toBe(850);
});
