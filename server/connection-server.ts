/** Adapter: a connection to an OpenAI-compatible server as a ServerEntry. */
import type { ModelInfo } from "@/lib/models";
import { limits } from "@/lib/settings";
import { connectionWindow } from "./models/connection-window";
import type { LiveConnection } from "./models/live-connection";
import type { Known } from "./models/known";
import type { ModelKey } from "./models/notes";
import type { ServerEntry } from "./server-entry";

/** `known` = the notes of all servers. */
export function connectionServer(live: LiveConnection, known: Known): ServerEntry {
  const { id, model: own, numCtx, local, baseUrl } = live.told();
  const keyOf = (name: string): ModelKey => ({ provider: id, name });
  const noted = (info: ModelInfo): ModelInfo => {
    const note = known.note(keyOf(info.name));
    return Object.keys(note).length === 0 ? info : { ...info, note };
  };
  const unlisted = (name: string): ModelInfo => noted({ name, capabilities: [], cloud: !local });
  const models = (): readonly ModelInfo[] => {
    const listed = (live.listed() ?? []).map(noted);
    return own === "" || listed.some(({ name }) => name === own) ? listed : [unlisted(own), ...listed];
  };
  return {
    provider: live.provider,
    host: () => hostOf(baseUrl),
    atOnce: () => (local ? limits.queueHostMax : limits.queueCloudMax),
    note: (name) => known.note(keyOf(name)),
    // An OpenAI-compatible server does not report its memory.
    answers: () => {},
    learnReading: (name, tokens, ms) => known.learnReading(keyOf(name), tokens, ms),
    countsWholePrompt: () => true,
    known: () => ({
      provider: id,
      models: models(),
      model: own,
      plan: (info) => connectionWindow(info, known.note(keyOf(info.name)).numCtx ?? numCtx),
      unlisted,
    }),
    learned: known,
    keyOf,
    allocated: () => undefined,
  };
}

/** Queue key: the origin, with localhost as 127.0.0.1, so that one machine counts as one server. */
const hostOf = (baseUrl: string): string => new URL(baseUrl).origin.replace("//localhost", "//127.0.0.1");
