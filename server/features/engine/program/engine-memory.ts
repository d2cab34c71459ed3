/** Memory of this machine for models: that of the devices which the engine's program lists, else of the system's. */
import { readdir, readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { EngineMemory } from "@/lib/models/engine";
import { runProcess } from "@/server/base/run-process";
import { modelServerVariables } from "@/server/models/model-server-variables";
import type { EngineProgram } from "../host/engine-process";

const listMs = 10_000;
const maxBytes = 16_384;
const mebibyte = 1_048_576;
/** Part of an Apple silicon's memory that its graphics may use, about. */
const appleShare = 0.7;

/** `  Vulkan0: NVIDIA GeForce RTX 3060 (12288 MiB, 11500 MiB free)`, a line for each device. */
export const readDeviceList = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/^\s+\S+: .*\((\d+) MiB, \d+ MiB free\)$/gm)].map(([, size]) => Number(size))) *
  mebibyte;

/** `program` null = it is not there yet. */
export async function readEngineMemory(
  program: EngineProgram | null,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<EngineMemory> {
  const ram = totalmem();
  const isShared = process.platform === "darwin" && process.arch === "arm64";
  const devices = program === null ? null : await listDevices(program, environment, signal);
  const graphics =
    devices ?? (isShared ? ram * appleShare : Math.max(await readNvidia(environment, signal), await readAmd()));
  return { ram, graphics, isShared };
}

/** bytes; null = the program does not list devices. */
async function listDevices(
  { program, arguments: before }: EngineProgram,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<number | null> {
  const text = await outputOf(program, [...before, "--list-devices"], modelServerVariables(environment), signal);
  return text === null || !text.includes("Available devices") ? null : readDeviceList(text);
}

async function readNvidia(environment: NodeJS.Dict<string>, signal: AbortSignal): Promise<number> {
  if (process.platform === "darwin") return 0;
  const query = ["--query-gpu=memory.total", "--format=csv,noheader,nounits"];
  const text = (await outputOf("nvidia-smi", query, environment, signal)) ?? "";
  return Math.max(0, ...[...text.matchAll(/^(\d+)$/gm)].map(([size]) => Number(size))) * mebibyte;
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
): Promise<string | null> {
  let text = "";
  const run = await runProcess(
    {
      program,
      arguments: args,
      environment,
      timeoutMs: listMs,
      maxBytes,
      onOutput(chunk) {
        text += chunk.toString("utf8");
        return "more";
      },
    },
    signal,
  );
  return run.ok && run.value.exit === 0 ? text : null;
}
