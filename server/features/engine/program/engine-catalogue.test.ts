/** The catalogue of llama.cpp's builds, and the user's guide. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { builds } from "./engine-catalogue.json";

test("the guide names the sizes of the builds", () => {
  const sizesOf = (isCuda: boolean): string => {
    const sizes = builds
      .filter(({ kind }) => kind.startsWith("cuda") === isCuda)
      .map(({ archives }) => Math.ceil(archives.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6));
    return `${Math.min(...sizes)} to ${Math.max(...sizes)} MB`;
  };
  const guide = readFileSync("docs/user/models-without-ollama.md", "utf8").replaceAll(/\s+/g, " ");
  expect(guide).toContain(`a download of ${sizesOf(false)}, or of a CUDA build (${sizesOf(true)})`);
});
