/**
 * An automation that looks first: the program reads the open points of HEARTBEAT.md, and asks no model while there are none,
 * nothing has changed, or the user is at work.
 */
import type { Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";

/** File in the project's folder. */
export const heartbeatFile = "HEARTBEAT.md";
/** The user has not worked for this time, ms: a run would take the prompt cache of the user's session. */
const idleMs = 5 * 60_000;

interface HeartbeatOptions {
  /** Reads the file of a project. */
  read(projectId: ProjectId): Promise<Result<{ readonly text: string }>>;
  /** Time since the last event of a session of the user, ms. */
  sinceUserMs(): number;
}

export interface Heartbeat {
  /** The open points; null = no model is asked now. */
  look(automation: { readonly id: string; readonly projectId: ProjectId }): Promise<string | null>;
  /** The run had nothing to report: the same file is not looked at again until it changes. */
  wasQuiet(id: string): void;
}

/** The lines of a list that begin with an empty box. */
const openPoints = (text: string): string =>
  text
    .split(/\r?\n/)
    .filter((line) => /^\s*[-*] \[ \]\s+\S/.test(line))
    .join("\n");

/** Whether an answer says that there is nothing to report, in whatever case and with a full stop or without. */
export const isQuietAnswer = (text: string): boolean => /^\W*nothing to report\W*$/i.test(text);

export function makeHeartbeat({ read, sinceUserMs }: HeartbeatOptions): Heartbeat {
  /** Texts by automation: the last one that was looked at, and the last one without anything to report. */
  const looked = new Map<string, string>();
  const quiet = new Map<string, string>();
  return {
    async look({ id, projectId }) {
      if (sinceUserMs() < idleMs) return null;
      const file = await read(projectId);
      const points = file.ok ? openPoints(file.value.text) : "";
      if (!file.ok || points === "" || quiet.get(id) === file.value.text) return null;
      looked.set(id, file.value.text);
      return points;
    },
    wasQuiet(id) {
      const text = looked.get(id);
      if (text !== undefined) quiet.set(id, text);
    },
  };
}
