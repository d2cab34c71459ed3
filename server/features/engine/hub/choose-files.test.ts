import { expect, test } from "vitest";
import { chooseModelFiles } from "./choose-files";

const fileOf = (path: string, bytes = 100) => ({ path, bytes, sha256: "0".repeat(64) });
/** A repository as unsloth's are. */
const repository = [
  fileOf("README.md"),
  fileOf("MTP/mtp-Qwen-Q4_K_M.gguf", 10),
  fileOf("Qwen-BF16.gguf", 900),
  fileOf("Qwen-Q4_0.gguf", 300),
  fileOf("Qwen-Q4_K_M.gguf", 310),
  fileOf("Qwen-UD-Q4_K_XL.gguf", 320),
  fileOf("Qwen-IQ4_XS.gguf", 290),
  fileOf("imatrix_unsloth.gguf", 1),
  fileOf("mmproj-BF16.gguf", 20),
  fileOf("mmproj-F16.gguf", 20),
  fileOf("mmproj-F32.gguf", 40),
  fileOf("Q8_0/Qwen-Q8_0-00002-of-00002.gguf", 250),
  fileOf("Q8_0/Qwen-Q8_0-00001-of-00002.gguf", 250),
  fileOf("Qwen-Q6_K-00001-of-00002.gguf", 250),
];

test.each([
  [{}, ["Qwen-Q4_K_M.gguf"]],
  [{ quantization: "q4_k_xl" }, ["Qwen-UD-Q4_K_XL.gguf"]],
  [{ quantization: "UD-Q4_K_XL" }, ["Qwen-UD-Q4_K_XL.gguf"]],
  [{ quantization: "IQ4_XS" }, ["Qwen-IQ4_XS.gguf"]],
  [{ quantization: "BF16" }, ["Qwen-BF16.gguf"]],
  [{ quantization: "Q8_0" }, ["Q8_0/Qwen-Q8_0-00001-of-00002.gguf", "Q8_0/Qwen-Q8_0-00002-of-00002.gguf"]],
  [
    { file: "Q8_0/Qwen-Q8_0-00002-of-00002.gguf" },
    ["Q8_0/Qwen-Q8_0-00001-of-00002.gguf", "Q8_0/Qwen-Q8_0-00002-of-00002.gguf"],
  ],
  [{ file: "MTP/mtp-Qwen-Q4_K_M.gguf" }, ["MTP/mtp-Qwen-Q4_K_M.gguf"]],
])("%j chooses %j with the projector", (reference, paths) => {
  const chosen = chooseModelFiles(repository, reference);
  expect(chosen.ok && chosen.value.model.map(({ path }) => path)).toEqual(paths);
  expect(chosen.ok && chosen.value.projector?.path).toBe("mmproj-F16.gguf");
});

type SizedPath = readonly [path: string, bytes: number];
test.each<[SizedPath, SizedPath, string]>([
  // The drafters beside the model carry the names of other quantizations.
  [["gemma-it-qat-UD-Q4_K_XL.gguf", 672], ["gemma-it-Q4_0.gguf", 24], "gemma-it-qat-UD-Q4_K_XL.gguf"],
  [["gpt-oss-20b-mxfp4.gguf", 1_200], ["other.gguf", 1], "gpt-oss-20b-mxfp4.gguf"],
  [["big-F16.gguf", 9], ["small-Q2_K.gguf", 2], "small-Q2_K.gguf"],
])("of %j and %j the usual one is %s", (one, other, expected) => {
  const chosen = chooseModelFiles([fileOf(...one), fileOf(...other)], {});
  expect(chosen.ok && chosen.value.model.map(({ path }) => path)).toEqual([expected]);
  expect(chosen.ok && chosen.value.projector).toBeUndefined();
});

test("a quantization that is missing, or of which a part is missing, names those there are", () => {
  for (const reference of [{ quantization: "Q3_K_S" }, { quantization: "Q6_K" }, { file: "none.gguf" }])
    expect(chooseModelFiles(repository, reference)).toMatchObject({
      error: { code: "not_found", facts: { available: "BF16, Q4_0, Q4_K_M, UD-Q4_K_XL, IQ4_XS, Q8_0" } },
    });
});

test("a repository without models has none to name", () => {
  expect(chooseModelFiles([fileOf("model.safetensors"), fileOf("mmproj-F16.gguf")], {})).toMatchObject({
    error: { code: "not_found", facts: { available: "" } },
  });
});
