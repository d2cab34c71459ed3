import { expect, test } from "vitest";
import type { WindowPlan } from "@/lib/models/models";
import { planRows } from "./plan-rows";

const plan: WindowPlan = {
  model: "qwen3:8b",
  chosen: 8_192,
  by: "memory",
  memoryBytes: 8_000,
  steps: [
    { tokens: 16_384, bytes: 10_000, fits: false },
    { tokens: 8_192, bytes: 6_000, fits: true },
    { tokens: 4_096, fits: null },
  ],
};

test("the automatic row comes first with its resulting size, the steps follow by size", () => {
  expect(planRows(plan, false)).toEqual([
    { value: 0, tokens: 8_192, bytes: 6_000, fits: true, share: 0.75, isChosen: true },
    { value: 4_096, tokens: 4_096, fits: null, share: null, isChosen: false },
    { value: 8_192, tokens: 8_192, bytes: 6_000, fits: true, share: 0.75, isChosen: false },
    { value: 16_384, tokens: 16_384, bytes: 10_000, fits: false, share: 1.25, isChosen: false },
  ]);
});

test("a user's choice is marked at its step, and the automatic row has no size", () => {
  const rows = planRows({ ...plan, chosen: 16_384, by: "user" }, true);
  expect(rows.filter((row) => row.isChosen).map((row) => row.value)).toEqual([16_384]);
  expect(rows[0]).toEqual({ value: 0, tokens: null, fits: null, share: null, isChosen: false });
});

test("a user's choice that is not a step gets its own row", () => {
  const rows = planRows({ ...plan, chosen: 10_000, by: "user" }, true);
  expect(rows.map((row) => row.value)).toEqual([0, 4_096, 8_192, 10_000, 16_384]);
  expect(rows[3]).toEqual({ value: 10_000, tokens: 10_000, fits: null, share: null, isChosen: true });
});

test("a largest window for all models is shown as automatic", () => {
  const rows = planRows({ ...plan, by: "user" }, false);
  expect(rows.filter((row) => row.isChosen).map((row) => row.value)).toEqual([0]);
  expect(rows[0]?.tokens).toBe(8_192);
});

test("without the machine's memory size no row has a share", () => {
  const { memoryBytes: _memory, ...elsewhere } = plan;
  expect(planRows(elsewhere, false).map((row) => row.share)).toEqual([null, null, null, null]);
});
