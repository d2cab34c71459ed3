import { expect, test } from "vitest";
import type { SessionStatus } from "@/lib/protocol/session-row";
import { makeSessionRow } from "@/lib/testing/test-session-row";
import { findNotices, sessionStatusesOf } from "./session-notices";

const row = (status: SessionStatus) => makeSessionRow({ status });

test.each<[SessionStatus | "unlisted", SessionStatus, string | null]>([
  ["unlisted", "waiting", null],
  ["unlisted", "idle", null],
  ["idle", "running", null],
  ["running", "running", null],
  ["running", "waiting", "waiting"],
  ["idle", "waiting", "waiting"],
  ["waiting", "waiting", null],
  ["waiting", "running", null],
  ["running", "idle", "done"],
  ["waiting", "idle", "done"],
  ["running", "error", "failed"],
  ["running", "interrupted", "interrupted"],
  ["running", "limit", "limit"],
  ["waiting", "limit", "limit"],
  ["running", "aborted", null],
  ["waiting", "aborted", null],
  ["limit", "running", null],
  ["limit", "idle", null],
  ["error", "idle", null],
  ["idle", "error", null],
])("a session that was %s and is %s has the notice %s", (before, now, kind) => {
  const statuses = sessionStatusesOf(before === "unlisted" ? [] : [row(before)]);
  expect(findNotices(statuses, [row(now)]).map((notice) => notice.kind)).toEqual(kind === null ? [] : [kind]);
});
