import { expect, test } from "vitest";
import type { EngineModel, SuggestedModel } from "@/lib/models/engine";
import type { DoctorVerdict } from "@/lib/models/models";
import { judgeSuggestions } from "./judged-suggestions";

const suggestion = (name: string): SuggestedModel => ({
  name,
  reference: `hf:u/${name}-GGUF:Q4_K_M`,
  bytes: 3e9,
  memoryBytes: 4e9,
  license: "MIT",
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
