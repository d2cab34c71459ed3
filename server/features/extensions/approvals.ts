/** What the owner enabled, in `extensions.json` of the home: the path of each extension with the hash of its files. */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { asId, type Hash } from "@/lib/events/id";
import { ok, type Result } from "@/lib/events/error";
import { parseJson } from "@/server/base/parse-json";
import { writePrivateFile } from "@/server/store/core/private-file";
import { toStoreError } from "@/server/store/core/store-error";

export interface Approval {
  readonly hash: Hash;
  /** It had a gate: until the owner disables it, no tool runs without being asked for when the gate is missing. */
  readonly hasGate: boolean;
}

export interface Approvals {
  get(path: string): Approval | null;
  /** Paths of enabled extensions below a folder. */
  below(folder: string): readonly string[];
  /** null = it is not enabled any more. Fails with store_readonly and disk_full. */
  set(path: string, approval: Approval | null): Result<void>;
}

const stored = z.object({ enabled: z.record(z.string(), z.object({ hash: z.string(), hasGate: z.boolean() })) });

function readApprovals(path: string): ReadonlyMap<string, Approval> {
  try {
    const read = stored.safeParse(parseJson(readFileSync(path, "utf8")));
    const entries = read.success ? Object.entries(read.data.enabled) : [];
    return new Map(entries.map(([name, { hash, hasGate }]) => [name, { hash: asId<Hash>(hash), hasGate }]));
  } catch {
    return new Map();
  }
}

export function makeApprovals(path: string): Approvals {
  let enabled: ReadonlyMap<string, Approval> | null = null;
  const current = (): ReadonlyMap<string, Approval> => (enabled ??= readApprovals(path));
  return {
    get: (name) => current().get(name) ?? null,
    below: (folder) => [...current().keys()].filter((name) => name.startsWith(`${folder}/`)),
    set(name, approval) {
      const next = new Map(current());
      if (approval === null) next.delete(name);
      else next.set(name, approval);
      try {
        writePrivateFile(path, `${JSON.stringify({ enabled: Object.fromEntries(next) }, null, 2)}\n`);
      } catch (error) {
        return { ok: false, error: toStoreError(error, path).toAgentError() };
      }
      enabled = next;
      return ok(undefined);
    },
  };
}
