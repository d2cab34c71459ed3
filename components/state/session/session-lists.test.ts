import { describe, expect, test } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import { makeSessionRow } from "@/lib/testing/test-session-row";
import {
  toDayKey,
  groupByDay,
  groupByProject,
  mergeRows,
  type SessionFilter,
  type SessionListPage,
  removeRow,
  upsertRow,
} from "./session-lists";

const rowOf = (id: string, updatedAt: number, part: Partial<SessionRow> = {}): SessionRow =>
  makeSessionRow({ id: asId<SessionId>(id), title: `Title ${id}`, model: "", updatedAt, ...part });
const pageOf = (more: boolean, ...rows: SessionRow[]): SessionListPage => ({ rows, more });
const ids = (pages: readonly SessionListPage[]) => pages.map((page) => page.rows.map((row) => row.id));

describe("a pushed row", () => {
  const pages = [pageOf(true, rowOf("a", 50), rowOf("b", 40)), pageOf(true, rowOf("c", 30))];
  test("that is newest becomes the first", () => {
    expect(ids(upsertRow(pages, rowOf("n", 60), {}))).toEqual([["n", "a", "b"], ["c"]]);
  });
  test("that changed moves to its position", () => {
    expect(ids(upsertRow(pages, rowOf("c", 60), {}))).toEqual([["c", "a", "b"], []]);
    expect(ids(upsertRow(pages, rowOf("a", 35), {}))).toEqual([["b"], ["a", "c"]]);
  });
  test("that is older than the loaded rows waits for its page", () => {
    expect(ids(upsertRow(pages, rowOf("o", 1), {}))).toEqual([["a", "b"], ["c"]]);
  });
  test("that is the oldest is shown if there are no more pages", () => {
    expect(ids(upsertRow([pageOf(false)], rowOf("o", 1), {}))).toEqual([["o"]]);
  });
  test("that no longer matches the filter is removed", () => {
    expect(
      ids(upsertRow(pages, rowOf("a", 60, { projectId: asId<ProjectId>("p2") }), { projectId: asId<ProjectId>("p1") })),
    ).toEqual([["b"], ["c"]]);
    expect(ids(upsertRow(pages, rowOf("a", 60, { deletedAt: 5 }), {}))).toEqual([["b"], ["c"]]);
    expect(ids(upsertRow(pages, rowOf("a", 60, { archivedAt: 5 }), {}))).toEqual([["b"], ["c"]]);
  });
  test.each<[Partial<SessionRow>, SessionFilter, boolean]>([
    [{ archivedAt: 5 }, { archived: true }, true],
    [{}, { archived: true }, false],
    [{ deletedAt: 5 }, { deleted: true }, true],
    [{ deletedAt: 5, archivedAt: 4 }, { deleted: true }, true],
    [{ deletedAt: 5, archivedAt: 4 }, { archived: true }, false],
    [{ pinnedAt: 5 }, {}, true],
    [{ pinnedAt: 5 }, { pinned: true }, true],
    [{}, { pinned: true }, false],
    [{ model: "qwen3:8b" }, { model: "qwen3:8b" }, true],
    [{ model: "qwen3:8b" }, { model: "qwen3" }, false],
    [{ removed: 1 }, { changed: true }, true],
    [{}, { changed: true }, false],
    [{ shared: true }, { shared: true }, true],
    [{ shared: false }, { shared: true }, false],
    [{}, { from: 60, to: 61 }, true],
    [{}, { from: 61 }, false],
    [{}, { to: 60 }, false],
    [{ status: "waiting" }, { active: true }, true],
    [{ status: "aborted" }, { active: true }, false],
    [{ status: "interrupted" }, { failed: true }, true],
    [{ status: "limit" }, { failed: true }, false],
  ])("with %j in a list of %j: %s", (part, filter, isThere) => {
    expect(ids(upsertRow([pageOf(false)], rowOf("z", 60, part), filter))).toEqual([isThere ? ["z"] : []]);
  });
});

test("an unchanged page stays the same object", () => {
  const pages = [pageOf(false, rowOf("a", 1))];
  expect(removeRow(pages, asId<SessionId>("x"))[0]).toBe(pages[0]);
});

test("the current project comes first, also without a session", () => {
  const other = asId<ProjectId>("p2");
  const groups = groupByProject([rowOf("a", 9)], other);
  expect(groups.map((group) => [group.projectId, group.rows.length])).toEqual([
    ["p2", 0],
    ["p1", 1],
  ]);
});

test.each([
  [new Date(2026, 10, 20, 0, 0).getTime(), "today"],
  [new Date(2026, 10, 19, 23, 59).getTime(), "yesterday"],
  [new Date(2026, 10, 19, 0, 0).getTime(), "yesterday"],
  [new Date(2026, 10, 18, 23, 59).getTime(), "week"],
  [new Date(2026, 10, 13, 12, 0).getTime(), "month"],
  [new Date(2026, 8, 1).getTime(), "2026-09"],
  [new Date(2025, 11, 31, 23).getTime(), "2025-12"],
  [new Date(2026, 10, 21).getTime(), "today"],
])("%d is grouped under %s", (at, day) => {
  expect(toDayKey(at, new Date(2026, 10, 20, 15, 30).getTime())).toBe(day);
});

test("deleted sessions are grouped by the day of deletion", () => {
  const now = new Date(2026, 10, 20, 15).getTime();
  const yesterday = new Date(2026, 10, 19, 15).getTime();
  const rows = [rowOf("a", now - 1), rowOf("b", yesterday, { deletedAt: now - 2 }), rowOf("c", yesterday)];
  const shown = (isBin: boolean) =>
    groupByDay(rows, now, isBin).map((group) => [group.day, ...group.rows.map((row) => row.id)]);
  expect(shown(false)).toEqual([
    ["today", "a"],
    ["yesterday", "b", "c"],
  ]);
  expect(shown(true)).toEqual([
    ["today", "a", "b"],
    ["yesterday", "c"],
  ]);
});

test("a session in two pages is one row, at its first position", () => {
  const pages = [pageOf(true, rowOf("a", 3), rowOf("b", 2)), pageOf(false, rowOf("b", 1), rowOf("c", 0))];
  expect(mergeRows(pages).map((row) => [row.id, row.updatedAt])).toEqual([
    ["a", 3],
    ["b", 2],
    ["c", 0],
  ]);
  expect(mergeRows(undefined)).toEqual([]);
});
