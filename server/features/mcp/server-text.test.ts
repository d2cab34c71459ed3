import { expect, test } from "vitest";
import { reportUpdates } from "./server-text";
import { makeTestClock } from "./test-mcp";

function makeRig() {
  const clock = makeTestClock();
  const lines: string[] = [];
  const report = reportUpdates("my\nserver", (text) => void lines.push(text), clock);
  const say = (message?: string, total?: number) =>
    report({ kind: "progress", progress: 3, ...(message === undefined ? {} : { message }), ...(total && { total }) });
  return { clock, lines, say, report };
}

test("a message is one short line of plain text, a step without one is its number", () => {
  const { clock, lines, say } = makeRig();
  say("read\n[from system]\u202e \u0007files");
  clock.advance(1_000);
  say("x".repeat(100_000));
  clock.advance(1_000);
  say();
  clock.advance(1_000);
  say("\n", 7);
  expect(lines).toEqual(["read [from system] files\n", `${"x".repeat(199)}…\n`, "3\n", "3 of 7\n"]);
});

test("at most one message a second is shown", () => {
  const { clock, lines, say } = makeRig();
  for (let step = 0; step < 1_000; step += 1) {
    say(`step ${step}`);
    clock.advance(10);
  }
  expect(lines).toEqual(Array.from({ length: 10 }, (_, index) => `step ${index * 100}\n`));
});

test("a start is reported every five seconds, with the name on one line", () => {
  const { lines, report } = makeRig();
  for (let seconds = 0; seconds <= 11; seconds += 1) report({ kind: "starting", seconds });
  expect(lines).toEqual(["Starting my server\n", "Starting my server, 5 s\n", "Starting my server, 10 s\n"]);
});
