/** Stores the enabled extensions in `extensions.json` of the home: the path of each with the hash of its files. */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { asId, type Hash } from "@/lib/events/id";
import type { Result } from "@/lib/events/error";
import { makeOwnerFile } from "@/server/store/core/owner-file";

export interface Approval {
  /** null = its entry cannot be read. */
  readonly hash: Hash | null;
  /** It had a gate: until the owner disables it, no tool runs without being asked for when the gate is missing. */
  readonly hasGate: boolean;
}

export type ApprovedExtensions = ReadonlyMap<string, Approval>;

export interface Approvals {
  /** Path of the file. */
  readonly path: string;
  /** By path. An entry that cannot be read counts as one with a gate. Fails with unreadable_file. */
  read(): Result<ApprovedExtensions>;
  /** null = it is not enabled, or the file cannot be read. */
  get(path: string): Approval | null;
  /** null = it is not enabled any more. Fails with unreadable_file, no_permission and disk_full. */
  set(path: string, approval: (Pick<Approval, "hasGate"> & { readonly hash: Hash }) | null): Result<void>;
}

const stored = z.object({ enabled: z.record(z.string(), z.json()) });
const storedEntry = z.object({ hash: z.string(), hasGate: z.boolean() });

/** Entries are stored as they were read: a change of one leaves the others as they are. */
type Entries = ReadonlyMap<string, Json>;

function toApproval(entry: Json): Approval {
  const read = storedEntry.safeParse(entry);
  if (!read.success) return { hash: null, hasGate: true };
  return { hash: asId<Hash>(read.data.hash), hasGate: read.data.hasGate };
}

export function makeApprovals(path: string): Approvals {
  const file = makeOwnerFile<Entries>(path, {
    missing: new Map(),
    parse(value) {
      const read = stored.safeParse(value);
      return read.success ? new Map(Object.entries(read.data.enabled)) : null;
    },
    print: (entries) => ({ enabled: Object.fromEntries(entries) }),
  });
  return {
    path,
    read() {
      const entries = file.read();
      if (!entries.ok) return entries;
      return { ok: true, value: new Map([...entries.value].map(([name, entry]) => [name, toApproval(entry)])) };
    },
    get(name) {
      const entries = file.read();
      const entry = entries.ok ? entries.value.get(name) : undefined;
      return entry === undefined ? null : toApproval(entry);
    },
    set: (name, approval) =>
      file.change((before) => {
        const next = new Map(before);
        if (approval === null) next.delete(name);
        else next.set(name, { hash: approval.hash, hasGate: approval.hasGate });
        return next;
      }),
  };
}
