import { describe, expect, it } from "vitest";
import {
  patchModelEntries,
  type ModelEntry,
  patchModelSettings,
  modelSettingsFor,
  mergeSettingsIntoNote,
} from "./model-settings";

const entries: readonly ModelEntry[] = [
  { name: "qwen3*", settings: { think: false, temperature: 0.5 } },
  { name: "*", settings: { temperature: 1, maxOutputTokens: 1_000 } },
  { name: "qwen3:8b", settings: { numCtx: 8_192 } },
  { name: "box/*", settings: { toolMode: "react" } },
  { name: "phi", settings: { numCtx: 4_096 } },
];

describe("the settings of a model", () => {
  it.each([
    ["qwen3:8b", { think: false, temperature: 0.5, maxOutputTokens: 1_000, numCtx: 8_192 }],
    ["qwen3:4b", { think: false, temperature: 0.5, maxOutputTokens: 1_000 }],
    ["box/qwen3:8b", { toolMode: "react", temperature: 1, maxOutputTokens: 1_000 }],
    ["phi:latest", { numCtx: 4_096, temperature: 1, maxOutputTokens: 1_000 }],
    ["phi:3b", { temperature: 1, maxOutputTokens: 1_000 }],
  ])("of %s merge its own entry over its wildcard entries", (model, settings) => {
    expect(modelSettingsFor(entries, model)).toEqual(settings);
  });

  it("match regular expression characters in a name literally", () => {
    expect(modelSettingsFor([{ name: "q.3*(", settings: { think: true } }], "qx3a(")).toEqual({});
    expect(modelSettingsFor([{ name: "q.3*(", settings: { think: true } }], "q.3a(")).toEqual({ think: true });
  });

  it("store auto only to override a wildcard", () => {
    expect(patchModelSettings(entries, "qwen3:8b", { numCtx: "auto", think: "auto" })).toEqual({ think: "auto" });
    expect(modelSettingsFor(patchModelEntries(entries, "qwen3:4b", { think: "auto" }), "qwen3:4b").think).toBe("auto");
    expect(patchModelEntries(entries, "phi:latest", { think: true })[4]).toEqual({
      name: "phi",
      settings: { numCtx: 4_096, think: true },
    });
  });

  it("override the note, except a tool mode set by the server", () => {
    const refused = { toolMode: { mode: "react", by: "server" }, writePerSecond: 5 } as const;
    const chosen = { toolMode: { mode: "xml", by: "user" }, numCtx: 4_096 } as const;
    expect(mergeSettingsIntoNote(refused, { toolMode: "auto", temperature: "auto" })).toEqual(refused);
    expect(mergeSettingsIntoNote(refused, { toolMode: "native" }).toolMode).toEqual({ mode: "native", by: "user" });
    expect(mergeSettingsIntoNote(chosen, {})).toEqual(chosen);
    expect(mergeSettingsIntoNote(chosen, { toolMode: "auto", numCtx: "auto" })).toEqual({});
  });
});
