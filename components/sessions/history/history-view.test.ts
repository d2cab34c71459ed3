import { describe, expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import {
  toSessionFilter,
  type HistoryView,
  hasFilters,
  formatHistoryView,
  parseHistoryView,
  wholeHistory,
  withoutFilters,
} from "./history-view";

const noon = new Date(2026, 10, 20, 12, 30).getTime();
const viewOf = (part: Partial<HistoryView>): HistoryView => ({ ...wholeHistory, ...part });

describe("the search string", () => {
  test("is empty for the whole history", () => {
    expect(formatHistoryView(wholeHistory)).toBe("");
    expect(parseHistoryView("")).toEqual(wholeHistory);
  });

  test.each<Partial<HistoryView>>([
    { query: "登录 & 注册 #1" },
    { tab: "statistics", range: "all", projectId: asId<ProjectId>("p-1") },
    { model: "qwen3:8b", changed: true, shared: true },
    { from: "2026-11-01", to: "2026-11-20", shelf: "bin" },
    { shelf: "archived", span: "90" },
    { grouping: "project", changed: true },
  ])("restores %j", (part) => {
    expect(parseHistoryView(formatHistoryView(viewOf(part)))).toEqual(viewOf(part));
  });

  test.each([
    "?tab=x&days=8&in=somewhere&changed=yes&group=colour",
    "?project=../../etc&from=2026-13-01&to=2026-02-30",
    "?q=%20",
  ])("ignores unknown values: %s", (search) => {
    expect(parseHistoryView(search)).toEqual({ ...wholeHistory, query: search === "?q=%20" ? " " : "" });
  });
});

describe("toSessionFilter", () => {
  test("is empty if nothing is selected", () => {
    expect(toSessionFilter(wholeHistory, noon)).toEqual({});
  });

  test("counts days from local midnight, including today", () => {
    expect(toSessionFilter(viewOf({ span: "1" }), noon)).toEqual({ from: new Date(2026, 10, 20).getTime() });
    expect(toSessionFilter(viewOf({ span: "7" }), noon)).toEqual({ from: new Date(2026, 10, 14).getTime() });
  });

  test("includes both selected days", () => {
    expect(toSessionFilter(viewOf({ from: "2026-11-01", to: "2026-11-30" }), noon)).toEqual({
      from: new Date(2026, 10, 1).getTime(),
      to: new Date(2026, 11, 1).getTime(),
    });
  });

  test("selects archived and deleted sessions", () => {
    expect(toSessionFilter(viewOf({ shelf: "archived", changed: true }), noon)).toEqual({
      archived: true,
      changed: true,
    });
    expect(toSessionFilter(viewOf({ shelf: "bin", shared: true }), noon)).toEqual({ deleted: true, shared: true });
  });
});

test("clearing the filters keeps shelf, query and grouping", () => {
  const view = viewOf({ shelf: "bin", query: "x", model: "m", span: "7", grouping: "project" });
  expect(hasFilters(view)).toBe(true);
  expect(withoutFilters(view)).toEqual(viewOf({ shelf: "bin", query: "x", grouping: "project" }));
  expect(hasFilters(withoutFilters(view))).toBe(false);
});
