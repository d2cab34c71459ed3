import { expect, test } from "vitest";
import { findQueuePosition } from "./queue-position";

test.each([
  ["Server busy, position in queue: 3", 3],
  ["queue position 12", 12],
  ["position: #4 of 10", 4],
  ["You are 2nd in the queue.", 2],
  ["queued 3", 3],
  ["queue: 5", 5],
  ["All hosts are busy; 2 requests ahead of you", 3],
  ["queued for 12 s", undefined],
  ["queued 12 seconds", undefined],
  ["no queue", undefined],
  ["position 0", undefined],
  ["ping", undefined],
  [`${"x".repeat(2_000)} position 3`, undefined],
])("%j has the position %s", (text, position) => {
  expect(findQueuePosition(text)).toBe(position);
});
