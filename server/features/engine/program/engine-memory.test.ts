import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDeviceList, readEngineMemory } from "./engine-memory";

test.each([
  ["Available devices:\n", 0],
  ["Available devices:\n  (none)\n", 0],
  ["Available devices:\n  Vulkan0: NVIDIA GeForce RTX 3060 (12288 MiB, 11500 MiB free)\n", 12_288],
  [
    "load_backend: x\nAvailable devices:\n  MTL0: Apple M1 (10922 MiB, 10922 MiB free)\n  BLAS: Accelerate (0 MiB, 0 MiB free)\n",
    10_922,
  ],
  ["Available devices:\n  CUDA0: A (B) (8192 MiB, 1 MiB free)\n  CUDA1: A (24576 MiB, 1 MiB free)\n", 24_576],
])("%j has %i MiB of graphics memory", (text, mebibytes) => {
  expect(readDeviceList(text, null)).toBe(mebibytes * 1_048_576);
});

const integrated = "Available devices:\n  Vulkan0: Intel(R) Iris(R) Xe Graphics (12000 MiB, 11000 MiB free)\n";
const both = `${integrated}  Vulkan1: NVIDIA GeForce RTX 3060 (12288 MiB, 11500 MiB free)\n`;

test.each([
  ["none beside the system's", integrated, 0, 0],
  ["512 MiB set aside for it", integrated, 512, 512],
  ["that of a card beside it", both, 12_288, 12_288],
])("a graphics unit inside the processor has %s", (_title, text, own, mebibytes) => {
  expect(readDeviceList(text, own * 1_048_576)).toBe(mebibytes * 1_048_576);
});

const logOf = (index: number, name: string, uma: 0 | 1): string =>
  `ggml_vulkan: ${index} = ${name} (Intel open-source Mesa driver) | uma: ${uma} | fp16: 1 | bf16: 0 | warp size: 32\n`;
const arc = "Available devices:\n  Vulkan0: Intel(R) Arc(tm) A770 Graphics (DG2) (16032 MiB, 15000 MiB free)\n";
const arcLog = logOf(0, "Intel(R) Arc(tm) A770 Graphics (DG2)", 0);

test.each([
  ["a card whose memory the system does not report", arcLog + arc, 0, 16_032],
  ["the same in a log with times", `0.00.312.110 D ${arcLog}${arc}`, 0, 16_032],
  ["the same in an older log", `Vulkan0: Intel Arc A770 (Mesa) | uma: 0 | fp16: 1\n${arc}`, 0, 16_032],
  ["a unit inside the processor", logOf(0, "Intel(R) Iris(R) Xe Graphics", 1) + integrated, 0, 0],
  ["such a unit on a system that reports no memory of cards", logOf(0, "Iris", 1) + integrated, null, 0],
  [
    "a card beside such a unit",
    `${logOf(0, "Iris", 1)}${logOf(1, "Arc", 0)}Available devices:\n  Vulkan0: Iris (30000 MiB, 1 MiB free)\n  Vulkan1: Arc (8000 MiB, 1 MiB free)\n`,
    0,
    8_000,
  ],
])("%s has its own memory only", (_title, text, own, mebibytes) => {
  expect(readDeviceList(text, own === null ? null : own * 1_048_576)).toBe(mebibytes * 1_048_576);
});

test.each([
  ["0.7.0 (build 11669, commit Debian)", "--verbosity 4 --list-devices"],
  ["6700 (abc)", "--list-devices"],
])("version %s is asked for its log with the devices", async (version, options) => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-devices-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "llama-server");
  const commands = `[ "$*" = "${options}" ] || exit 1\necho "${arcLog.trim()}" >&2\necho "${arc.trimEnd()}"\n`;
  writeFileSync(program, `#!/bin/sh\n${commands}`, { mode: 0o755 });
  const { signal } = new AbortController();
  const memory = await readEngineMemory({ program, arguments: [], version }, { PATH: "/nowhere" }, signal);
  expect(memory.graphics).toBe(16_032 * 1_048_576);
});
