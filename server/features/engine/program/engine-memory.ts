/** Memory of this machine for models: that of the devices which the engine's program lists, else of the system's. */
import { readdir, readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { EngineMemory } from "@/lib/models/engine";
import { modelServerVariables } from "@/server/models/model-server-variables";
import { deviceLogArguments } from "../host/engine-device";
import type { EngineProgram } from "../host/engine-process";
import { type ProgramOutput, readProgramOutput } from "./read-program-output";

const listMs = 10_000;
const maxBytes = 16_384;
const mebibyte = 1_048_576;
/** Part of an Apple silicon's memory that its graphics may use, about. */
const appleShare = 0.7;

/**
 * Memory of the largest device, bytes. `text` has a line for each: `  Vulkan0: NVIDIA GeForce RTX 3060 (12288 MiB, 11500 MiB
 * free)`. Vulkan counts the system's memory as that of a graphics unit inside the processor, which the log names: `ggml_vulkan:
 * 0 = Intel(R) Iris(R) Xe Graphics (Intel open-source Mesa driver) | uma: 1 | …` (ggml/src/ggml-vulkan). `ownBytes` = what the
 * system reports as memory of cards; null = unknown. It counts for such a unit, and for all devices without that line.
 */
export function readDeviceList(text: string, ownBytes: number | null): number {
  const isInProcessor = new Map(
    [...text.matchAll(/(?:ggml_vulkan: |Vulkan)(\d+)(?: =|:) .* \| uma: ([01])/g)].map(([, index, uma]) => [
      `Vulkan${index}`,
      uma === "1",
    ]),
  );
  const devices = [...text.matchAll(/^\s+(\S+): .*\((\d+) MiB, \d+ MiB free\)$/gm)];
  const sizes = devices.map(([, name = "", mebibytes]) => {
    const bytes = Number(mebibytes) * mebibyte;
    const isInside = name.startsWith("Vulkan") ? (isInProcessor.get(name) ?? null) : false;
    if (isInside === false) return bytes;
    return Math.min(bytes, ownBytes ?? (isInside === true ? 0 : bytes));
  });
  return Math.max(0, ...sizes);
}

/** `program` null = it is not there yet. */
export async function readEngineMemory(
  program: EngineProgram | null,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<EngineMemory> {
  const ram = totalmem();
  const isShared = process.platform === "darwin" && process.arch === "arm64";
  const text = program === null ? null : await listDevices(program, environment, signal);
  const own = process.platform === "linux" ? Math.max(await readNvidia(environment, signal), await readAmd()) : null;
  const graphics = text === null ? (isShared ? ram * appleShare : (own ?? 0)) : readDeviceList(text, own);
  return { ram, graphics, isShared };
}

/** With its log; null = the program does not list devices. */
async function listDevices(
  { program, arguments: before, version }: EngineProgram,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<string | null> {
  const list = [...before, ...deviceLogArguments(version), "--list-devices"];
  const run = await outputOf(program, list, modelServerVariables(environment), signal);
  return run?.output.includes("Available devices") === true ? `${run.wholeErrorOutput}\n${run.output}` : null;
}

async function readNvidia(environment: NodeJS.Dict<string>, signal: AbortSignal): Promise<number> {
  const query = ["--query-gpu=memory.total", "--format=csv,noheader,nounits"];
  const run = await outputOf("nvidia-smi", query, environment, signal);
  return Math.max(0, ...[...(run?.output ?? "").matchAll(/^(\d+)$/gm)].map(([size]) => Number(size))) * mebibyte;
}

/** Linux, driver amdgpu. */
async function readAmd(): Promise<number> {
  const root = "/sys/class/drm";
  const cards = await readdir(root).catch(() => []);
  const sizes = cards
    .filter((name) => /^card\d+$/.test(name))
    .map(async (name) =>
      Number(await readFile(join(root, name, "device", "mem_info_vram_total"), "utf8").catch(() => 0)),
    );
  return Math.max(0, ...(await Promise.all(sizes)));
}

/** null = it cannot be run, or failed. */
async function outputOf(
  program: string,
  args: readonly string[],
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<ProgramOutput | null> {
  const options = { program, arguments: args, environment, timeoutMs: listMs, maxBytes };
  const run = await readProgramOutput(options, signal);
  return run.ok && run.value.exit === 0 ? run.value : null;
}
