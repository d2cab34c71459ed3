import { expect, test } from "vitest";
import { type Box, type ToastPlaces, toastPlace } from "./toast-place";

const wide: ToastPlaces = {
  news: { width: 300, height: 40 },
  view: { width: 1440, height: 900 },
  foot: 24,
  head: 40,
  floor: null,
  controls: [],
};
const box = (left: number, top: number, width: number, height: number): Box => ({ left, top, width, height });
/** From the edge: 1440 - 300 - 16. */
const left = 1_124;

test("it stands at the lower right, above the bar at the foot", () => {
  expect(toastPlace(wide)).toEqual({ left, top: 900 - 24 - 8 - 40 });
});

test("a filter at the upper right stays free", () => {
  expect(toastPlace({ ...wide, controls: [box(1_000, 60, 400, 32)] }).top).toBe(828);
});

test("a composer at the foot moves it up, above the composer", () => {
  const composer = { ...wide, floor: 780, controls: [box(1_100, 830, 32, 32)] };
  expect(toastPlace(composer).top).toBe(780 - 8 - 40);
});

test("a composer beside it moves nothing", () => {
  expect(toastPlace({ ...wide, floor: 780, controls: [box(300, 830, 700, 32)] }).top).toBe(828);
});

test("buttons of a card above the composer send it to the top", () => {
  const controls = [box(1_100, 830, 32, 32), box(1_090, 735, 120, 32)];
  expect(toastPlace({ ...wide, floor: 780, controls }).top).toBe(48);
});

test("where every place covers something, the one that covers least", () => {
  const controls = [box(1_100, 820, 300, 40), box(1_100, 40, 300, 60)];
  expect(toastPlace({ ...wide, floor: 780, controls: [...controls, box(1_200, 735, 20, 20)] }).top).toBe(732);
});

test("on a phone it keeps inside the window, above the tabs, and never over the head", () => {
  const phone = { ...wide, news: { width: 374, height: 60 }, view: { width: 390, height: 844 }, foot: 57, head: 48 };
  expect(toastPlace(phone)).toEqual({ left: 8, top: 844 - 57 - 8 - 60 });
  expect(toastPlace({ ...phone, view: { width: 390, height: 150 } }).top).toBe(56);
});
