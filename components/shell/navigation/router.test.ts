import { expect, test } from "vitest";
import { parseRoute, parseSeqHash } from "./router";

test.each([
  ["/", { page: "home" }],
  ["", { page: "home" }],
  ["/s/abc_-9", { page: "session", id: "abc_-9" }],
  ["/s/abc/", { page: "session", id: "abc" }],
  ["/history", { page: "history" }],
  ["/overview", { page: "overview" }],
  ["/settings", { page: "settings", tab: null }],
  ["/settings/permissions", { page: "settings", tab: "permissions" }],
  ["/settings/a/b", { page: "missing" }],
  ["/s", { page: "missing" }],
  ["/s/a.b", { page: "missing" }],
  ["/s/%2e%2e", { page: "missing" }],
  [`/s/${"x".repeat(81)}`, { page: "missing" }],
  ["/s/a/b", { page: "missing" }],
  ["/history/x", { page: "missing" }],
  ["/constructor", { page: "missing" }],
])("the path %s parses to %j", (path, route) => {
  expect(parseRoute(path)).toEqual(route);
});

test.each([
  ["#12", 12],
  ["", null],
  ["#", null],
  ["#0", null],
  ["#-1", null],
  ["#1e3", null],
  ["#heading", null],
  ["#9999999999999999", null],
])("a URL with the hash %j points to entry %j", (hash, seq) => {
  expect(parseSeqHash(hash)).toBe(seq);
});
