/** Reads ranges of a project file's bytes. */
import type { ProjectId } from "@/lib/events/id";
import type { ServerConnection } from "../../state/connection/server-connection";
import { withBasePath } from "../../state/base-path";

/** Bytes of the file as they were at the version `tag`. */
interface FileRange {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly size: number;
  readonly tag: string;
}

/** "changed" = the file is not the one read before; "failed" = it cannot be read now. */
export type RangeProblem = "changed" | "failed";

export interface RangeReader {
  /** Reads from `from` until before `to`, at most to the end of the file; a negative `from` counts from the end. */
  readonly read: (from: number, to: number, signal: AbortSignal) => Promise<FileRange | RangeProblem>;
}

export const createRangeReader = (call: ServerConnection["call"], projectId: ProjectId, path: string): RangeReader => ({
  async read(from, to, signal) {
    const link = await call("files.link", { projectId, path });
    if (!link.ok) return "failed";
    const range = from < 0 ? `bytes=${from}` : `bytes=${from}-${to - 1}`;
    try {
      const response = await fetch(withBasePath(link.value.url), { headers: { Range: range }, signal });
      // It is shorter than it was.
      if (response.status === 416) return "changed";
      const place = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "");
      if (response.status !== 206 || place === null) return "failed";
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, from: Number(place[1]), size: Number(place[2]), tag: response.headers.get("ETag") ?? "" };
    } catch {
      return "failed";
    }
  },
});

interface VersionReads {
  /** Reads a range, in place of a read that is running, and passes it on unless the file has changed. */
  readonly read: (from: number, to: number, apply: (bytes: Uint8Array, from: number) => void) => Promise<void>;
  readonly isReading: () => boolean;
  /** Size of the file in bytes; 0 before the first read. */
  readonly size: () => number;
  /** Accepts another version of the file with the next read. */
  readonly forget: () => void;
  /** Ends the running read; later ones have no effect. */
  readonly stop: () => void;
}

/** Reads ranges that belong to one version of a file. `onProblem` gets null after a read that succeeded. */
export function createVersionReads(
  reader: RangeReader,
  onProblem: (problem: RangeProblem | null) => void,
): VersionReads {
  let size = 0;
  let tag = "";
  let reading: AbortController | null = null;
  let isStopped = false;
  return {
    async read(from, to, apply) {
      if (isStopped) return;
      reading?.abort();
      const own = new AbortController();
      reading = own;
      const range = await reader.read(from, to, own.signal);
      if (own.signal.aborted) return;
      reading = null;
      if (typeof range === "string") return onProblem(range);
      if (tag === "") ({ tag, size } = range);
      if (range.tag !== tag) return onProblem("changed");
      onProblem(null);
      apply(range.bytes, range.from);
    },
    isReading: () => reading !== null,
    size: () => size,
    forget: () => {
      tag = "";
    },
    stop: () => {
      isStopped = true;
      reading?.abort();
    },
  };
}
