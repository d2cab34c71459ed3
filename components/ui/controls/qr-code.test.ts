import { encode } from "uqr";
import { expect, test } from "vitest";
import { qrPath } from "./qr-code";

test("runs of dark modules become one-row rectangles, including runs up to the edge", () => {
  expect(
    qrPath([
      [true, true, false, true],
      [false, false, false, false],
      [false, true, true, true],
    ]),
  ).toBe("M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z");
});

test("a link of maximum length is encoded with a quiet zone of four modules", () => {
  const { data, size } = encode(`http://192.168.178.123:54321/share#${"a".repeat(43)}`, { ecc: "M", border: 4 });
  expect(data).toHaveLength(size);
  const edge = [...data.slice(0, 4), ...data.slice(-4)].flat();
  expect(edge.some(Boolean)).toBe(false);
  expect(data.every((row) => !row.slice(0, 4).some(Boolean) && !row.slice(-4).some(Boolean))).toBe(true);
  // The first finder pattern begins directly after the quiet zone.
  expect(data[4]?.slice(4, 11).every(Boolean)).toBe(true);
});
