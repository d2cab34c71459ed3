import { expect, test } from "vitest";
import type { EngineModel, SuggestedModel } from "@/lib/models/engine";
import type { DoctorVerdict } from "@/lib/models/models";
import { judgeModels, judgeSuggestions } from "./judged-suggestions";

const suggestion = (name: string): SuggestedModel => ({
  name,
  reference: `hf:u/${name}-GGUF:Q4_K_M`,
  bytes: 3e9,
  memoryBytes: 4e9,
  license: "MIT",
  activeParameters: 1e9,
  contextLength: 32_768,
  capabilities: ["tools"],
  fit: "fits",
});
const suggestions = ["large", "middle", "small"].map(suggestion);

const tested = (file: string, verdict?: DoctorVerdict): EngineModel => ({
  name: file,
  file,
  isOwned: true,
  info: {
    name: file,
    capabilities: ["completion"],
    cloud: false,
    ...(verdict !== undefined && {
      note: {
        doctor: {
          model: file,
          at: 0,
          tookMs: 0,
          steps: [],
          verdict,
          toolMode: "native",
          numCtx: 0,
          writePerSecond: 0,
          readPerSecond: 0,
        },
      },
    }),
  },
});
const judged = (...models: readonly EngineModel[]): readonly string[] =>
  judgeSuggestions(suggestions, models).map(({ name, verdict = "-" }) => `${name} ${verdict}`);

test("a model that works as an agent comes first, one that does not comes last, and both say so", () => {
  expect(
    judged(
      tested("/home/engine/models/u--large-GGUF/large-Q4_K_M.gguf", "unusable"),
      tested("/home/engine/models/u--small-GGUF/small-Q4_K_M-00001-of-00003.gguf", "agent"),
    ),
  ).toEqual(["small agent", "middle -", "large unusable"]);
});

test("a file of LM Studio counts, and a helper keeps its place", () => {
  expect(judged(tested("/home/.lmstudio/models/u/middle-GGUF/middle-Q4_K_M.gguf", "helper"))).toEqual([
    "large -",
    "middle helper",
    "small -",
  ]);
});

test.each([
  ["another quantization", tested("/m/u--large-GGUF/large-Q8_0.gguf", "agent")],
  ["another repository", tested("/m/v--large-GGUF/large-Q4_K_M.gguf", "agent")],
  ["a model that was not tested", tested("/m/u--large-GGUF/large-Q4_K_M.gguf")],
])("%s leaves the list as it is", (_, model) => {
  expect(judged(model)).toEqual(["large -", "middle -", "small -"]);
});

test("a suggested model in the list has one memory need and one fit, those of its files and its published parameters", () => {
  const entry = { ...suggestion("m"), capabilities: ["tools"], kvBytesPerToken: 32_768, activeParameters: 4.2e9 };
  const { name, file, isOwned, info } = tested("/m/u--m-GGUF/m-Q4_K_M.gguf", "agent");
  const listed = {
    ...{ name, file, isOwned, info: info && { ...info, size: 3.4e9 } },
    shape: { kvBytesPerToken: 32_768, activeParameters: 5.25e9 },
  };
  const memory = { ram: 16e9, graphics: 0, isShared: false };
  const { models, suggestions } = judgeModels([listed], [entry], memory);
  expect(suggestions[0]).toMatchObject({ verdict: "agent", memoryBytes: models[0]?.memoryBytes, fit: "fits" });
  expect(models[0]).toMatchObject({ fit: "fits" });
  const [alone] = judgeModels([], [entry], memory).suggestions;
  expect(alone?.memoryBytes).toBe((models[0]?.memoryBytes ?? 0) - 0.4e9);
});

test("the speed that was measured with the file of a suggestion is its own", () => {
  const { info, ...model } = tested("/m/u--large-GGUF/large-Q4_K_M.gguf");
  const measured = { ...model, info: info && { ...info, note: { writePerSecond: 12 } } };
  const speeds = judgeSuggestions(suggestions, [measured]).map(({ writePerSecond }) => writePerSecond);
  expect(speeds).toEqual([12, undefined, undefined]);
});
