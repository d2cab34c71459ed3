/**
 * A real tool environment for tests: a project in a temporary folder with its files, search and shell, and blobs in a
 * map.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { posix } from "node:path";
import type { Block, Json } from "@/lib/events/content";
import { settingsDefaults } from "@/lib/settings/settings";
import { asId, type BlobId, type TrashId } from "@/lib/events/id";
import { computeBlobId } from "@/server/base/id";
import { childPath, modelPath, type SafePath } from "@/server/security/paths/safe-path";
import { makeFiles } from "@/server/workspace/files/files";
import { makeSearch } from "@/server/workspace/search/search";
import { makeShell } from "@/server/workspace/shell/shell";
import { emptyCatalogue } from "../toolbox/make-catalogue";
import { toToolError } from "./to-tool-error";
import { type Tool, type ToolCall, type ToolDependencies, ToolError, type ToolResult } from "./tool";

/** The dependencies of all tools, and a call whose every path is permitted. */
export type TestContext = ToolDependencies & ToolCall;

export interface TestEnvironment {
  readonly root: string;
  readonly context: TestContext;
  readonly blobs: ReadonlyMap<BlobId, Uint8Array>;
  /** Snapshots recorded before each write: path and previous bytes (Latin-1); null for a new file. */
  readonly recordedSnapshots: readonly { readonly path: string; readonly before: string | null }[];
  readonly progressText: () => string;
  readonly trashFolder: string;
  remove(): void;
}

export function makeTestEnvironment(
  options: { readonly vision?: boolean; readonly readRoots?: readonly string[] } = {},
): TestEnvironment {
  const folder = realpathSync(mkdtempSync(posix.join(tmpdir(), "gopi-tools-")));
  const root = posix.join(folder, "project");
  mkdirSync(root);
  const trashFolder = posix.join(folder, "trash");
  const policy = { root, protectedNames: [], readRoots: options.readRoots };
  const files = makeFiles(policy);
  const blobs = new Map<BlobId, Uint8Array>();
  const announced: { path: string; before: string | null }[] = [];
  let progressed = "";
  let trashed = 0;
  const keep = async (content: Uint8Array): Promise<BlobId> => {
    const id = computeBlobId(content);
    blobs.set(id, content);
    return id;
  };
  const path = (text: string, use: "read" | "write"): SafePath<"model"> => {
    const minted = modelPath(text, use, policy);
    if (!minted.ok) throw toToolError(minted.error, text);
    return minted.value;
  };
  const context: TestContext = {
    isAttended: () => true,
    path,
    resolveChild: (parent, name) => childPath(parent, name, policy),
    files,
    search: makeSearch(policy),
    shell: makeShell({ root, environment: () => ({ PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: folder }) }),
    catalogue: () => emptyCatalogue,
    windowTokens: 16_384,
    vision: options.vision ?? false,
    settings: settingsDefaults,
    id: { sessionId: asId("s-test"), callId: asId("c-test") },
    onEnd: () => () => {},
    recordChange: () => {},
    progress: (text) => {
      progressed += text;
    },
    storeBlob: keep,
    async recordBeforeWrite(target, before) {
      announced.push({
        path: target.relative,
        before: before === null ? null : Buffer.from(before.bytes).toString("latin1"),
      });
      return before === null ? null : keep(before.bytes);
    },
    async trash(target) {
      trashed += 1;
      const id = asId<TrashId>(`t${trashed}`);
      const moved = await files.moveOut(target, posix.join(trashFolder, id));
      if (!moved.ok) throw toToolError(moved.error, target.relative);
      return { trash: id, ...moved.value };
    },
  };
  return {
    root,
    context,
    blobs,
    recordedSnapshots: announced,
    progressText: () => progressed,
    trashFolder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const resultText = (output: readonly Block[]): string =>
  output.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

/**
 * Parses, previews and runs a call like run-tool, without approval. A ToolError is returned as its text and `code`.
 */
export async function callTool<I>(
  tool: Tool<I>,
  input: Json,
  context: TestContext,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly text: string; readonly code?: string; readonly result?: ToolResult }> {
  const parsed = tool.parse(input);
  if (!parsed.ok) return { text: parsed.messageForModel, code: "bad_input" };
  try {
    const runner = tool.create(context);
    const shown = await runner.preview?.(parsed.input, context, signal);
    const result = await runner.run(parsed.input, context, signal, shown?.seen);
    return { text: resultText(result.output), result };
  } catch (error) {
    if (error instanceof ToolError) return { text: error.messageForModel, code: error.code };
    throw error;
  }
}
