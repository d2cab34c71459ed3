// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from "vitest";
import { ignoreSecondClicks } from "./second-click";

const received: string[] = [];

function add(role: string): HTMLElement {
  const element = document.createElement("div");
  element.setAttribute("role", role);
  element.append(document.createElement("span"));
  for (const type of ["mousedown", "click", "dblclick"])
    element.addEventListener(type, ({ detail }: Event & { readonly detail?: number }) =>
      received.push(`${role} ${type} ${detail}`),
    );
  document.body.append(element);
  return element;
}

function press(element: Element, type: string, detail: number): MouseEvent {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, detail });
  (element.firstElementChild ?? element).dispatchEvent(event);
  return event;
}

beforeEach(() => {
  ignoreSecondClicks();
});
afterEach(() => {
  document.body.replaceChildren();
  received.length = 0;
});

test("what replaces a list gets no second click, and the next first one", () => {
  const list = add("tree");
  const button = add("button");
  for (const type of ["mousedown", "mouseup", "click"]) press(list, type, 1);
  list.remove();
  for (const type of ["mousedown", "mouseup", "click", "dblclick"])
    expect(press(button, type, 2).defaultPrevented).toBe(true);
  expect(received).toEqual(["tree mousedown 1", "tree click 1"]);
  press(button, "mousedown", 1);
  press(button, "click", 1);
  press(button, "mousedown", 2);
  expect(received.slice(2)).toEqual(["button mousedown 1", "button click 1", "button mousedown 2"]);
});

test("a list that stays gets the double click", () => {
  const list = add("tree");
  for (const [type, count] of [
    ["mousedown", 1],
    ["click", 1],
    ["mousedown", 2],
    ["click", 2],
    ["dblclick", 2],
  ] as const)
    expect(press(list, type, count).defaultPrevented).toBe(false);
  expect(received).toHaveLength(5);
});

test("buttons that are replaced while they are pressed quickly get every click", () => {
  const first = add("button");
  press(first, "mousedown", 1);
  press(first, "click", 1);
  first.remove();
  expect(press(add("button"), "click", 2).defaultPrevented).toBe(false);
});
