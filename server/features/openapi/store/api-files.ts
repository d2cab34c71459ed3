/**
 * The folder `openapi/` of the home: a folder for each API with its document as it was loaded, its operations, those that
 * were approved and have changed since, and `api.json`. Read in slices of time: an API can have megabytes.
 */
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Steps } from "@/lib/async/steps";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { maxApis } from "@/lib/tools/openapi";
import type { StoredTool } from "@/lib/tools/tool-definitions";
import { parseJson } from "@/server/base/parse-json";
import { runStepsInSlices } from "@/server/base/steps";
import { writePrivateFileAsync } from "@/server/store/core/private-file";
import { toStoreError } from "@/server/store/core/store-error";
import { type ApiHead, apiHeadSchema, type ApiOperation, operationSchema } from "../operations/operation";
import * as z from "zod/mini";

const originSchema = z.union([
  z.object({ kind: z.literal("url"), url: z.string() }),
  z.object({ kind: z.literal("file"), name: z.string() }),
  z.object({ kind: z.literal("paste") }),
]);

/** Decisions of the owner about an API, as `api.json` in its folder has them. */
const apiEntrySchema = z.object({
  origin: originSchema,
  /** ms epoch */
  loadedAt: z.number(),
  /** Address of its requests, without a final slash; "" = none. */
  address: z.string(),
  isConfirmed: z.boolean(),
  isEnabled: z.boolean(),
  /** Own names of tools: switched off; near the start of the catalogue; not there when the API was approved. */
  off: z.array(z.string()),
  pinned: z.array(z.string()),
  unapproved: z.array(z.string()),
});
type ApiEntry = z.infer<typeof apiEntrySchema>;

/** Members that are not about single tools. */
type ApiSettings = Omit<ApiEntry, "off" | "pinned" | "unapproved">;

export interface Api {
  readonly id: string;
  readonly settings: ApiSettings;
  readonly head: ApiHead;
  /** Ordered by name. */
  readonly tools: readonly StoredTool<ApiOperation>[];
}

export interface ApiFiles {
  /** One that cannot be read is a problem of its own. */
  readAll(signal: AbortSignal): Promise<{
    readonly apis: readonly Api[];
    readonly problems: readonly { readonly id: string; readonly error: AgentError }[];
  }>;
  /** Writes what the owner decided. Throws StoreError. */
  save(api: Api): Promise<void>;
  /** Writes the document as well. Throws StoreError. */
  saveDocument(api: Api, document: Uint8Array, lines: Uint8Array): Promise<void>;
  /** Throws StoreError. */
  remove(id: string): Promise<void>;
}

const names = {
  settings: "api.json",
  document: "document",
  operations: "operations.jsonl",
  approved: "approved.jsonl",
};
const idPattern = /^[a-z0-9][a-z0-9_-]{0,40}$/;

export function makeApiFiles(home: string): ApiFiles {
  const root = join(home, "openapi");
  const write = async (id: string, files: readonly (readonly [name: string, content: Uint8Array])[]): Promise<void> => {
    const folder = join(root, id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const [name, content] of files) await writePrivateFileAsync(join(folder, name), content);
    } catch (error) {
      throw toStoreError(error, folder);
    }
  };
  return {
    async readAll(signal) {
      const found = await readdir(root).catch(() => []);
      const apis: Api[] = [];
      const problems: { id: string; error: AgentError }[] = [];
      for (const id of found
        .filter((name) => idPattern.test(name))
        .toSorted()
        .slice(0, maxApis)) {
        const read = await readApi(join(root, id), id, signal);
        if (read.ok) apis.push(read.value);
        else problems.push({ id, error: read.error });
      }
      return { apis, problems };
    },
    save: (api) => write(api.id, settingFiles(api)),
    // The operations last: until then, those that have changed count as approved as they were.
    saveDocument: (api, document, lines) =>
      write(api.id, [...settingFiles(api), [names.document, document], [names.operations, lines]]),
    async remove(id) {
      try {
        await rm(join(root, id), { recursive: true, force: true });
      } catch (error) {
        throw toStoreError(error, join(root, id));
      }
    },
  };
}

function settingFiles({ settings, tools }: Api): readonly (readonly [string, Uint8Array])[] {
  const namesOf = (matches: (tool: StoredTool<ApiOperation>) => boolean): string[] =>
    tools.flatMap((tool) => (matches(tool) ? [tool.ownName] : []));
  const entry: ApiEntry = {
    ...settings,
    off: namesOf(({ isOff }) => isOff),
    pinned: namesOf(({ isPinned }) => isPinned),
    unapproved: namesOf(({ approved }) => approved === null),
  };
  const changed = tools.flatMap(({ approved, current }) =>
    approved === null || approved.hash === current?.hash ? [] : [`${JSON.stringify(approved)}\n`],
  );
  return [
    [names.approved, Buffer.from(changed.join(""))],
    [names.settings, Buffer.from(`${JSON.stringify(entry, null, 2)}\n`)],
  ];
}

async function readApi(folder: string, id: string, signal: AbortSignal): Promise<Result<Api>> {
  try {
    const read = (name: string): Promise<Uint8Array> => readFile(join(folder, name), { signal });
    const entry = apiEntrySchema.safeParse(parseJson((await read(names.settings)).toString()));
    const [head, operations] = await readApiLines(await read(names.operations), signal);
    const approved = await readOperationLines(await read(names.approved), signal);
    if (!entry.success || head === null) return fail("bad_input", undefined, { reason: "damaged" });
    const { off, pinned, unapproved, ...settings } = entry.data;
    return ok({ id, settings, head, tools: restoreTools(operations, approved, { off, pinned, unapproved }) });
  } catch (error) {
    signal.throwIfAborted();
    return fail("bad_input", undefined, { reason: "damaged", detail: error instanceof Error ? error.message : "" });
  }
}

/** The tools with their state of before. */
function restoreTools(
  operations: readonly ApiOperation[],
  changed: readonly ApiOperation[],
  { off, pinned, unapproved }: Pick<ApiEntry, "off" | "pinned" | "unapproved">,
): readonly StoredTool<ApiOperation>[] {
  const [isOff, isPinned, isUnapproved] = [new Set(off), new Set(pinned), new Set(unapproved)];
  const approved = new Map(changed.map((operation) => [operation.name, operation]));
  const offered = new Set(operations.map(({ name }) => name));
  const toTool = (name: string, current: ApiOperation | null): StoredTool<ApiOperation> => ({
    ownName: name,
    approved: approved.get(name) ?? (isUnapproved.has(name) ? null : current),
    current,
    isOff: isOff.has(name),
    isPinned: isPinned.has(name),
  });
  return [
    ...operations.map((operation) => toTool(operation.name, operation)),
    ...changed.flatMap(({ name }) => (offered.has(name) ? [] : [toTool(name, null)])),
  ].toSorted((a, b) => (a.ownName < b.ownName ? -1 : 1));
}

/** Reads the lines of the worker. */
export async function readApiLines(
  lines: Uint8Array,
  signal: AbortSignal,
): Promise<readonly [head: ApiHead | null, operations: readonly ApiOperation[]]> {
  const end = lines.indexOf(10);
  const head = apiHeadSchema.safeParse(parseJson(Buffer.from(lines.subarray(0, end)).toString()));
  return [head.success ? head.data : null, await readOperationLines(lines.subarray(end + 1), signal)];
}

const readOperationLines = (lines: Uint8Array, signal: AbortSignal): Promise<readonly ApiOperation[]> =>
  runStepsInSlices(parseOperations(lines), signal);

/** Throws if a line is damaged: without it, another definition could count as approved. */
function* parseOperations(lines: Uint8Array): Steps<readonly ApiOperation[]> {
  const operations: ApiOperation[] = [];
  for (let start = 0; start < lines.length; ) {
    const found = lines.indexOf(10, start);
    const end = found < 0 ? lines.length : found;
    const read = operationSchema.safeParse(parseJson(Buffer.from(lines.subarray(start, end)).toString()));
    if (!read.success) throw new Error(`line ${operations.length + 1} is damaged`);
    operations.push(read.data);
    start = end + 1;
    yield;
  }
  return operations;
}
