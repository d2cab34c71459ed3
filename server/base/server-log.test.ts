import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeServerLog } from "./server-log";

function makeLog() {
  const folder = mkdtempSync(join(tmpdir(), "server-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const printed: string[] = [];
  const log = makeServerLog(
    (line) => void printed.push(line),
    () => 7,
  );
  return { log, printed, file: join(folder, "gopi-web.log") };
}

test("lines and errors are printed; errors are counted, as a whole and without control sequences", () => {
  const { log, printed } = makeLog();
  expect(log.read()).toEqual({ lines: [], errors: 0, file: null });
  log.add("Port 4567 is\u009B2J in use.");
  log.addError("one", new Error("a"));
  log.addError("page", "\u001B]0;title\u0007c\u001B[2J");
  expect(printed[0]).toBe("Port 4567 is2J in use.");
  expect(printed[1]).toContain("server-log.test.ts");
  expect(printed[2]).toBe("page: ]0;titlec[2J");
  expect(log.read()).toMatchObject({
    errors: 2,
    lines: [
      { at: 7, level: "info", text: "Port 4567 is2J in use." },
      { level: "error", text: expect.stringContaining("one: Error: a\n") },
      { level: "error", text: "page: ]0;titlec[2J" },
    ],
  });
});

test("the file has the lines from before it too, for its user alone, and is replaced when it is large", () => {
  const { log, file } = makeLog();
  log.add("before");
  log.keepIn(file);
  log.addError("after", "x");
  const begin = "1970-01-01T00:00:00.007Z";
  expect(readFileSync(file, "utf8")).toBe(`${begin} info before\n${begin} error after: x\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, "y".repeat(1_000_001));
  log.add("next");
  expect(readFileSync(file, "utf8")).toBe(`${begin} info next\n`);
  expect(statSync(`${file}.1`).size).toBe(1_000_001);
});

test("a file that cannot be written stops nothing", () => {
  const { log, printed, file } = makeLog();
  mkdirSync(file);
  log.keepIn(file);
  log.add("still here");
  expect([printed, log.read().file]).toEqual([["still here"], null]);
});

test("the newest thousand lines are kept, each cut", () => {
  const { log } = makeLog();
  for (let count = 0; count < 2_500; count += 1) log.add(`${count} ${"x".repeat(5_000)}`);
  const { lines } = log.read();
  expect(lines.length).toBe(1_000);
  expect(lines.at(-1)?.text.slice(0, 6)).toBe("2499 x");
  expect(lines.at(-1)?.text.length).toBe(4_000);
});
