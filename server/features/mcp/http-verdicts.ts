/**
 * Stores the transport and discovery of servers at addresses, for 24 hours; the same in every project. That a server has
 * the handshake of 2025, and over which transport, is also kept in a file: after a start the discovery it does not have is
 * not tried again. The answer of a server of 2026 to its discovery is kept in memory only.
 */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { parseJson } from "@/server/base/parse-json";
import { writePrivateFile } from "@/server/store/core/private-file";
import type { HttpVerdict, VerdictMemory } from "./client-link";
import type { ServerKey } from "./server-life";

const verdictMs = 86_400_000;
const maxStored = 200;

export interface HttpVerdicts {
  of(key: ServerKey): VerdictMemory;
}

const storedVerdicts = z.array(z.object({ id: z.string(), transport: z.enum(["http", "sse"]), until: z.number() }));

interface CachedVerdict {
  readonly verdict: HttpVerdict;
  /** ms epoch */
  readonly until: number;
}

/** `path` = the file; null = none. `now` is ms epoch. */
export function makeHttpVerdicts(path: string | null, now: () => number): HttpVerdicts {
  let cached: Map<string, CachedVerdict> | null = null;
  const load = (): Map<string, CachedVerdict> => (cached ??= path === null ? new Map() : readStored(path));
  const isValid = ({ until }: CachedVerdict): boolean => now() < until && until <= now() + verdictMs;
  const save = (): void => {
    if (path === null) return;
    const stored = [...load()].flatMap(([id, one]) =>
      one.verdict.prior.kind === "legacy" && isValid(one)
        ? [{ id, transport: one.verdict.transport, until: one.until }]
        : [],
    );
    try {
      writePrivateFile(path, `${JSON.stringify(stored.slice(-maxStored))}\n`);
    } catch {
      // It only saves a request after the next start.
    }
  };
  return {
    of({ server, launch }) {
      const id = JSON.stringify([server, launch]);
      return {
        read() {
          const found = load().get(id);
          return found !== undefined && isValid(found) ? found.verdict : null;
        },
        write(verdict) {
          const before = load().get(id);
          load().delete(id);
          if (verdict !== null) load().set(id, { verdict, until: now() + verdictMs });
          if (before?.verdict.prior.kind === "legacy" || verdict?.prior.kind === "legacy") save();
        },
      };
    },
  };
}

/** A file that is missing or damaged has none. */
function readStored(path: string): Map<string, CachedVerdict> {
  try {
    const read = storedVerdicts.safeParse(parseJson(readFileSync(path, "utf8")));
    if (!read.success) return new Map();
    return new Map(
      read.data.map(({ id, transport, until }) => [id, { verdict: { transport, prior: { kind: "legacy" } }, until }]),
    );
  } catch {
    return new Map();
  }
}
