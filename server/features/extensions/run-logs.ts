/** Keeps the newest output of an extension's scripts: 64 KB, masked. */
import { makeProcessLog, type ProcessLog } from "@/server/security/redaction/process-log";
import { makeRedactor, type Redactor, secretValues } from "@/server/security/redaction/redact";

export interface RunLog {
  /** A line of this program: what was started, and how it ended. */
  note(line: string): void;
  /** Output in chunks of any size. */
  output(text: string): void;
}

export interface RunLogs {
  /** The log of an extension; secrets among its variables are masked too. */
  of(path: string, variables?: { readonly [name: string]: string }): RunLog;
  read(path: string): string;
}

interface RunLogsOptions {
  readonly now: () => number;
  /** Values that are secret. */
  readonly secrets: () => readonly string[];
}

export function makeRunLogs({ now, secrets }: RunLogsOptions): RunLogs {
  const logs = new Map<string, ProcessLog>();
  const masked = new Map<string, ReadonlySet<string>>();
  const redactor = (path: string): Pick<Redactor, "text"> => ({
    text: (raw, edges) =>
      makeRedactor({ secrets: [...secrets(), ...(masked.get(path) ?? [])], homes: [] }).text(raw, edges),
  });
  const get = (path: string): ProcessLog => {
    const log = logs.get(path) ?? makeProcessLog(redactor(path));
    logs.set(path, log);
    return log;
  };
  return {
    of(path, variables = {}) {
      masked.set(path, new Set([...(masked.get(path) ?? []), ...secretValues(variables)]));
      const log = get(path);
      return {
        note: (line) => log.add(`${new Date(now()).toISOString().slice(0, 19).replace("T", " ")} ${line}`),
        output: (text) => log.addChunk(text),
      };
    },
    read: (path) => logs.get(path)?.lines().join("\n") ?? "",
  };
}
