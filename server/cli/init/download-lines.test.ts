import { expect, test } from "vitest";
import { engineLine, transferText } from "./download-lines";

test.each<[transfer: Parameters<typeof transferText>[0], text: string]>([
  [{ completed: 0, bytes: 0 }, "0 % of 0 B"],
  [{ completed: 999, bytes: 1_000 }, "99 % of 1.0 kB"],
  [{ completed: 1, bytes: 2, bytesPerSecond: 1_200_000, secondsLeft: 0 }, "50 % of 2 B, 1.2 MB/s, 1 s left"],
  [{ completed: 1, bytes: 2, secondsLeft: 89 }, "50 % of 2 B, 1 min left"],
  [{ completed: 1, bytes: 2, secondsLeft: 3_599 }, "50 % of 2 B, 1 h 0 min left"],
])("%j is %s", (transfer, text) => expect(transferText(transfer)).toBe(text));

test("a download that waits for its server, and a program that is unpacked", () => {
  const download = {
    reference: "r",
    name: "m\u001b",
    status: "silent",
    completed: 1,
    bytes: 4,
    bytesPerSecond: 9,
  } as const;
  const install = { status: "unpacking", build: "cpu", completed: 4, bytes: 4 } as const;
  expect(engineLine({ install, downloads: [download] }, "r")).toBe(
    "m\\u{1b}: 25 % of 4 B, waiting for the server; llama.cpp: checking what has arrived",
  );
});
