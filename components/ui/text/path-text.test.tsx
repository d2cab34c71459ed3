// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { en } from "../../messages/en";
import { PathText } from "./path-text";

test.each([
  ["src/cart.ts", ""],
  ["a/b.ts", ""],
  ["src/lib/cart.ts", "2.5ch"],
])("%s: a minimum width never leaves a gap before the slash", (path, minWidth) => {
  const { container } = render(<PathText path={path} names={en.common.hidden} />);
  expect(container.textContent).toBe(path);
  expect(container.querySelector<HTMLElement>("[title] > span")?.style.minWidth).toBe(minWidth);
});
