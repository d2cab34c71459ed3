import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineBuildsFor, type EngineMachine, loadEngineCatalogue } from "./engine-builds";

const catalogue = await loadEngineCatalogue({});

test.each<[string, EngineMachine, string]>([
  ["a Mac", { platform: "darwin", arch: "arm64", hasVulkan: false, nvidiaDriver: null }, "metal"],
  ["an old Mac", { platform: "darwin", arch: "x64", hasVulkan: false, nvidiaDriver: null }, "cpu"],
  ["Linux without a graphics card", { platform: "linux", arch: "x64", hasVulkan: false, nvidiaDriver: null }, "cpu"],
  ["Linux with one", { platform: "linux", arch: "x64", hasVulkan: true, nvidiaDriver: null }, "vulkan cpu"],
  ["a new driver", { platform: "linux", arch: "x64", hasVulkan: true, nvidiaDriver: 580 }, "vulkan cuda13 cpu"],
  ["a driver for CUDA 12", { platform: "win32", arch: "x64", hasVulkan: true, nvidiaDriver: 579 }, "vulkan cuda12 cpu"],
  ["a server with CUDA", { platform: "linux", arch: "x64", hasVulkan: false, nvidiaDriver: 600 }, "cuda13 cpu"],
  ["a driver that is too old", { platform: "linux", arch: "x64", hasVulkan: false, nvidiaDriver: 470 }, "cpu"],
  ["Linux on ARM", { platform: "linux", arch: "arm64", hasVulkan: true, nvidiaDriver: 600 }, "vulkan cpu"],
  ["Windows on ARM", { platform: "win32", arch: "arm64", hasVulkan: true, nvidiaDriver: null }, "cpu"],
  ["another system", { platform: "freebsd", arch: "x64", hasVulkan: false, nvidiaDriver: null }, ""],
])("%s gets its builds, the best first", (_name, machine, kinds) => {
  expect(
    engineBuildsFor(catalogue, machine)
      .map(({ kind }) => kind)
      .join(" "),
  ).toBe(kinds);
});

test("each archive comes from the release over https", () => {
  const names = catalogue.builds.flatMap(({ archives }) => archives.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  expect(new URL(catalogue.base).protocol).toBe("https:");
  expect(catalogue.base).toContain(`/${catalogue.tag}/`);
});

test.each([
  ["no JSON", "{"],
  ["a name that is a path", { archives: [{ name: "../a", bytes: 1, sha256: "0".repeat(64) }] }],
  ["no checksum", { archives: [{ name: "a", bytes: 1, sha256: "" }] }],
  ["no archive", { archives: [] }],
])("a catalogue with %s is refused", async (_name, build) => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-catalogue-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "catalogue.json");
  const whole = { tag: "b1", base: "https://example.com/", builds: [{ platform: "linux", arch: "x64", kind: "cpu" }] };
  const builds = typeof build === "string" ? [] : [{ ...whole.builds[0], ...build }];
  writeFileSync(file, typeof build === "string" ? build : JSON.stringify({ ...whole, builds }));
  await expect(loadEngineCatalogue({ GOPI_ENGINE_CATALOGUE: file })).rejects.toThrow();
});
