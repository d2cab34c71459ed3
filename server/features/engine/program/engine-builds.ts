/** The builds of llama.cpp that can be fetched, and which of them suit this machine. */
import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { EngineBuildKind } from "@/lib/models/engine";
import catalogueData from "./engine-catalogue.json";
import { readProgramOutput } from "./read-program-output";

const kinds = ["cpu", "metal", "vulkan", "cuda12", "cuda13"] as const satisfies readonly EngineBuildKind[];
const archiveSchema = z.object({
  /** A file name: it becomes part of an address and of a path. */
  name: z.string().check(z.regex(/^[\w-][\w.-]*$/)),
  bytes: z.int().check(z.positive()),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
const catalogueSchema = z.object({
  /** Name of the release. */
  tag: z.string(),
  /** Address before the archives' names, with a slash at its end. */
  base: z.url().check(z.regex(/\/$/)),
  builds: z.array(
    z.object({
      platform: z.string(),
      arch: z.string(),
      kind: z.enum(kinds),
      /** The first one contains the server; others contain libraries for its folder. */
      archives: z.array(archiveSchema).check(z.minLength(1)),
    }),
  ),
});
type CatalogueData = z.infer<typeof catalogueSchema>;
export type EngineBuild = CatalogueData["builds"][number];
export interface EngineCatalogue extends CatalogueData {
  /** It is the user's, not the one of this product. */
  readonly isOwn: boolean;
}

/** The variable that names a file with another catalogue: of a mirror, or of builds of one's own. */
const catalogueVariable = "GOPI_ENGINE_CATALOGUE";

/** Throws if the file that the environment names cannot be read or is no catalogue. */
export async function loadEngineCatalogue(environment: NodeJS.Dict<string>): Promise<EngineCatalogue> {
  const file = environment[catalogueVariable]?.trim() ?? "";
  const isOwn = file !== "";
  return { ...catalogueSchema.parse(isOwn ? JSON.parse(await readFile(file, "utf8")) : catalogueData), isOwn };
}

export interface EngineMachine {
  readonly platform: string;
  readonly arch: string;
  readonly hasVulkan: boolean;
  /** Main version of NVIDIA's driver. */
  readonly nvidiaDriver: number | null;
}

/** Oldest main version of NVIDIA's driver that a build needs. Source: CUDA's release notes, table of driver versions. */
const driverMin = { cuda13: 580, cuda12: 525 } as const;

/** The builds that suit a machine, the best first: small ones for the graphics card, then CUDA, then the CPU. */
export function engineBuildsFor({ builds }: EngineCatalogue, machine: EngineMachine): readonly EngineBuild[] {
  const { nvidiaDriver, hasVulkan } = machine;
  const cuda = (["cuda13", "cuda12"] as const).filter((kind) => (nvidiaDriver ?? 0) >= driverMin[kind]).slice(0, 1);
  const order: readonly EngineBuildKind[] = ["metal", ...(hasVulkan ? (["vulkan"] as const) : []), ...cuda, "cpu"];
  const suited = builds.filter(({ platform, arch }) => platform === machine.platform && arch === machine.arch);
  return order.flatMap((kind) => suited.filter((build) => build.kind === kind).slice(0, 1));
}

const driverMs = 5_000;
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Looks at the drivers of this machine. */
export async function readEngineMachine(environment: NodeJS.Dict<string>, signal: AbortSignal): Promise<EngineMachine> {
  const { platform, arch } = process;
  const [hasVulkan, nvidiaDriver] = await Promise.all([findVulkan(environment), readNvidiaDriver(environment, signal)]);
  return { platform, arch, hasVulkan, nvidiaDriver };
}

const vulkanFolders = ["x86_64-linux-gnu", "aarch64-linux-gnu", ""].flatMap((triple) => [
  join("/usr/lib", triple),
  join("/usr/lib64", triple),
]);

/** A loader without a graphics card would choose a driver that calculates on the CPU, slower than the build for it. */
async function findVulkan({ SystemRoot }: NodeJS.Dict<string>): Promise<boolean> {
  if (process.platform === "win32") return exists(join(SystemRoot ?? "C:\\Windows", "System32", "vulkan-1.dll"));
  if (process.platform !== "linux") return false;
  const cards = await readdir("/dev/dri").catch(() => []);
  if (!cards.some((name) => name.startsWith("renderD"))) return false;
  const loaders = await Promise.all(vulkanFolders.map((folder) => exists(join(folder, "libvulkan.so.1"))));
  return loaders.includes(true);
}

async function readNvidiaDriver(environment: NodeJS.Dict<string>, signal: AbortSignal): Promise<number | null> {
  if (process.platform === "darwin") return null;
  const query = ["--query-gpu=driver_version", "--format=csv,noheader"];
  const options = { program: "nvidia-smi", arguments: query, environment, timeoutMs: driverMs, maxBytes: 4_096 };
  const run = await readProgramOutput(options, signal);
  const version = run.ok && run.value.exit === 0 ? /^(\d+)\./m.exec(run.value.output)?.[1] : undefined;
  return version === undefined ? null : Number(version);
}
