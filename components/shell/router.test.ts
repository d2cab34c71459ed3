import { expect, test } from "vitest";
import { routeOf } from "./router";

test.each([
  ["/", { page: "home" }],
  ["", { page: "home" }],
  ["/s/abc_-9", { page: "session", id: "abc_-9" }],
  ["/s/abc/", { page: "session", id: "abc" }],
  ["/history", { page: "history" }],
  ["/settings", { page: "settings", tab: "model" }],
  ["/settings/permissions", { page: "settings", tab: "permissions" }],
  ["/settings/nothing", { page: "missing" }],
  ["/s", { page: "missing" }],
  ["/s/a.b", { page: "missing" }],
  ["/s/%2e%2e", { page: "missing" }],
  [`/s/${"x".repeat(81)}`, { page: "missing" }],
  ["/s/a/b", { page: "missing" }],
  ["/history/x", { page: "missing" }],
  ["/constructor", { page: "missing" }],
])("%s shows %j", (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
