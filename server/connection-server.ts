/** A connection to an OpenAI-compatible server as sessions, the queue and the doctor see it. Called by model-access. */
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
    // What its server has in memory nobody tells.
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

/** One machine is one server, whatever it is called and whichever of its interfaces is asked. */
const hostOf = (baseUrl: string): string => new URL(baseUrl).origin.replace("//localhost", "//127.0.0.1");
