import { expect, test } from "vitest";
import { type ScreenBox, type ToastLayout, toastPosition } from "./toast-position";

const wide: ToastLayout = {
  stack: { width: 300, height: 40 },
  view: { width: 1440, height: 900 },
  foot: 24,
  head: 40,
  floor: null,
  controls: [],
};
const box = (left: number, top: number, width: number, height: number): ScreenBox => ({ left, top, width, height });
/** Right edge minus width and side margin: 1440 - 300 - 16. */
const left = 1_124;

test("the default position is at the lower right, above the status bar", () => {
  expect(toastPosition(wide)).toEqual({ left, top: 900 - 24 - 8 - 40 });
});

test("a control at the upper right does not affect the default position", () => {
  expect(toastPosition({ ...wide, controls: [box(1_000, 60, 400, 32)] }).top).toBe(828);
});

test("a composer below moves it above the composer", () => {
  const composer = { ...wide, floor: 780, controls: [box(1_100, 830, 32, 32)] };
  expect(toastPosition(composer).top).toBe(780 - 8 - 40);
});

test("a composer beside it does not move it", () => {
  expect(toastPosition({ ...wide, floor: 780, controls: [box(300, 830, 700, 32)] }).top).toBe(828);
});

test("buttons of a card above the composer move it to the top", () => {
  const controls = [box(1_100, 830, 32, 32), box(1_090, 735, 120, 32)];
  expect(toastPosition({ ...wide, floor: 780, controls }).top).toBe(48);
});

test("if every position covers controls, the position with the least overlap is used", () => {
  const controls = [box(1_100, 820, 300, 40), box(1_100, 40, 300, 60)];
  expect(toastPosition({ ...wide, floor: 780, controls: [...controls, box(1_200, 735, 20, 20)] }).top).toBe(732);
});

test("on a phone it stays inside the viewport, above the tabs and below the header", () => {
  const phone = { ...wide, stack: { width: 374, height: 60 }, view: { width: 390, height: 844 }, foot: 57, head: 48 };
  expect(toastPosition(phone)).toEqual({ left: 8, top: 844 - 57 - 8 - 60 });
  expect(toastPosition({ ...phone, view: { width: 390, height: 150 } }).top).toBe(56);
});
