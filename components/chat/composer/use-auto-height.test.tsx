// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cleanup, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { useAutoHeight } from "./use-auto-height";

/** A field that is 20 px high for each line of its text or placeholder, and at most 60 px. */
function Field({ text, placeholder }: { readonly text: string; readonly placeholder: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  useAutoHeight(area, { text, placeholder, maxHeightPx: 60 });
  return <textarea ref={area} value={text} placeholder={placeholder} readOnly />;
}
const height = (): string => screen.getByRole("textbox").style.height;

beforeEach(() => {
  vi.spyOn(HTMLTextAreaElement.prototype, "scrollHeight", "get").mockImplementation(function (
    this: HTMLTextAreaElement,
  ) {
    return 20 * (this.value || this.placeholder).split("\n").length;
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test("an empty field has the height of its placeholder, also after that has changed", () => {
  const { rerender } = render(<Field text="" placeholder={"a hint\nof two lines"} />);
  expect(height()).toBe("40px");
  rerender(<Field text="" placeholder="one line" />);
  expect(height()).toBe("20px");
  rerender(<Field text={"1\n2\n3\n4"} placeholder="one line" />);
  expect(height()).toBe("60px");
});
