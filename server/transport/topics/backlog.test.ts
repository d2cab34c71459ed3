import { expect, it } from "vitest";
import { makeBacklog, resyncEvents } from "./backlog";

it("sends a batch of any length to a client that has read everything", () => {
  const backlog = makeBacklog<string>({ audience: "subject", overflow: "resync" });
  const long = Array.from({ length: resyncEvents + 1 }, () => "x");
  expect(backlog.offer("s", long, long.length)).toBe(true);
  expect(backlog.offer("s", ["y"], 1)).toBe(false);
  expect(backlog.readAll()).toEqual({ batch: [], missed: ["s"] });
  expect(backlog.offer("s", ["z"], 1)).toBe(true);
});

it("measures each waiting message once", () => {
  let measured = 0;
  const chars = (): number => {
    measured += 1;
    return 1;
  };
  const backlog = makeBacklog<string>({ audience: "subject", overflow: "join", join: () => null, chars });
  const sent = Array.from({ length: resyncEvents }, () => "x");
  expect(backlog.offer("s", sent, sent.length)).toBe(true);
  for (let count = 0; count < resyncEvents; count += 1) backlog.offer("s", [String(count)], 1);
  expect(backlog.readAll().batch.map(Number)).toEqual(sent.map((_, index) => index));
  expect(measured).toBe(resyncEvents);
});

it("forgets what waits about one subject, and counts the rest", () => {
  const backlog = makeBacklog<string>({ audience: "subject", overflow: "join", join: () => null, windowChars: 1 });
  backlog.offer("a", ["sent"], 1);
  for (let count = 0; count < resyncEvents - 1; count += 1) backlog.offer("a", ["a"], 1);
  backlog.offer("b", ["b"], 1);
  backlog.forget("a");
  for (let count = 0; count < resyncEvents - 1; count += 1) backlog.offer("b", ["b"], 1);
  const { batch, missed } = backlog.readAll();
  expect([batch.length, missed]).toEqual([resyncEvents, []]);
});
