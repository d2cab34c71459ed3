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
