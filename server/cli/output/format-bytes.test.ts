import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [9_960, "10 kB"],
  [4_700_000_000, "4.7 GB"],
  [999_600, "1.0 MB"],
  [5e15, "5000 TB"],
])("%i bytes are %s", (count, text) => {
  expect(formatBytes(count)).toBe(text);
});
