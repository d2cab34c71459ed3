import Database from "better-sqlite3";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DoctorReport, ModelNote } from "@/lib/models/models";
import { openTestStore, temporaryHome } from "../__fixtures__/home";

const doctor: DoctorReport = {
  model: "m:7b",
  at: 5,
  tookMs: 60_000,
  steps: [
    { step: "load", state: "ok", ms: 3_000, facts: { gpuShare: 0.5, allocated: 8_192 } },
    { step: "window", state: "failed", error: { code: "prompt_cut", facts: { sent: 6_000, read: 4_000 } } },
    { step: "conversations", state: "weak", ms: 900, facts: { keeps: "no", firstMs: 800, againMs: 780 } },
  ],
  verdict: "helper",
  toolMode: "react",
  readPerSecond: 300,
  writePerSecond: 20.5,
  numCtx: 8_192,
};
const note: ModelNote = { toolMode: { mode: "xml", by: "user" }, numCtx: 8_192, profile: "small", loadMs: 900, doctor };

describe("model notes", () => {
  test("persist, and a write overwrites the previous note of the key", () => {
    const home = temporaryHome();
    const first = openTestStore({ home });
    first.modelNotes.write("sha", { note: { numCtx: 4_096 } });
    first.modelNotes.write("sha", { note, spill: { tokens: 32_768, gpuBytes: 8e9 } });
    first.modelNotes.write("ollama:m", { note: { readPerSecond: 210.5 } });
    first.close();
    expect(openTestStore({ home }).modelNotes.read()).toEqual(
      new Map([
        ["sha", { note, spill: { tokens: 32_768, gpuBytes: 8e9 } }],
        ["ollama:m", { note: { readPerSecond: 210.5 } }],
      ]),
    );
  });

  test("omit only invalid values", () => {
    const home = temporaryHome();
    openTestStore({ home }).close();
    const database = new Database(join(home, "gopi.db"));
    const insert = database.prepare("INSERT INTO model_notes (key, note, spill, updated_at) VALUES (?, ?, ?, 0)");
    insert.run("a", JSON.stringify({ numCtx: "many", loadMs: 700, toolMode: { mode: "telepathy", by: "user" } }), "{}");
    insert.run("b", "not JSON", null);
    insert.run("c", JSON.stringify({ tokenRatio: -1, profile: "full", doctor: { ...doctor, verdict: "great" } }), "[]");
    database.close();
    expect([...openTestStore({ home }).modelNotes.read()]).toEqual([
      ["a", { note: { loadMs: 700 } }],
      ["b", { note: {} }],
      ["c", { note: { profile: "full" } }],
    ]);
  });
});
