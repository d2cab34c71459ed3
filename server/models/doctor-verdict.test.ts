import { describe, expect, it } from "vitest";
import { type DoctorStep, ratedDoctorSteps } from "@/lib/models/models";
import { rateModel } from "./doctor-verdict";

type State = DoctorStep["state"];
const seen = (...states: readonly State[]): readonly DoctorStep[] =>
  ratedDoctorSteps.map((step, index) => ({ step, state: states[index] ?? "skipped" }));

describe("the verdict", () => {
  it.each<[string, readonly State[], number, number, string]>([
    ["all passed", ["ok", "ok", "ok", "ok", "ok"], 16_384, 30, "agent"],
    ["passed with trouble", ["weak", "weak", "weak", "weak", "weak"], 8_192, 4, "agent"],
    ["a server that loads by itself", ["skipped", "ok", "ok", "ok", "ok"], 16_384, 30, "agent"],
    ["an unmeasured speed", ["ok", "ok", "ok", "ok", "ok"], 16_384, 0, "agent"],
    ["too slow to wait for", ["ok", "ok", "ok", "ok", "ok"], 16_384, 2.5, "helper"],
    ["a window too small for runs", ["ok", "ok", "ok", "ok", "ok"], 4_096, 30, "helper"],
    ["a long prompt lost", ["ok", "ok", "ok", "ok", "failed"], 16_384, 30, "helper"],
    ["edits missed", ["ok", "ok", "ok", "failed", "ok"], 16_384, 30, "helper"],
    ["no tool called", ["ok", "ok", "failed", "skipped", "ok"], 16_384, 30, "chat"],
    ["no answer", ["ok", "failed"], 16_384, 0, "unusable"],
    ["no memory for it", ["failed"], 16_384, 0, "unusable"],
  ])("%s: %j with a window of %i at %d tokens a second is %s", (_name, states, numCtx, writePerSecond, verdict) => {
    expect(rateModel({ steps: seen(...states), numCtx, writePerSecond })).toBe(verdict);
  });
});
