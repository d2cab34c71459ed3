import { expect, test } from "vitest";
import { stripControls } from "./terminal-text";

test("streamed text loses control sequences and nothing else", () => {
  expect(stripControls("a\u001b]52;c;aGk=\u0007b\u009b2J\r\nc\td\u202ee 你👩‍💻\n")).toBe(
    "a]52;c;aGk=b2J\nc\tde 你👩‍💻\n",
  );
});
