/** Adapter: a connection to an OpenAI-compatible server as a ModelServerEntry. */
import type { ModelInfo, ModelNote } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { planConnectionWindow } from "../connection-window";
import type { ActiveConnection } from "../connections/active-connection";
import type { ModelKnowledge } from "../notes/model-knowledge";
import type { ModelKey } from "../notes/model-note-cache";
import type { ModelServerEntry } from "./model-server-entry";

/** `knowledge` = the notes of all servers. */
export function connectionServerEntry(live: ActiveConnection, knowledge: ModelKnowledge): ModelServerEntry {
  const { id, model: own, numCtx, local, baseUrl, atOnce: chosenAtOnce } = live.toConnection();
  const keyOf = (name: string): ModelKey => connectionModelKey(live, name);
  const noteOf = ({ name, digest }: ModelInfo): ModelNote => knowledge.note({ provider: id, name, digest });
  const slots = (): number => chosenAtOnce ?? live.slots?.() ?? 1;
  /** A request for another model could make a router unload the one that is answering. */
  const swapsModels = (): boolean => live.lastList()?.some(({ load }) => load !== undefined) === true;
  const localAtOnce = (): number =>
    swapsModels() ? serverLimits.queueHostMax : Math.max(serverLimits.queueHostMax, slots());
  const noted = (info: ModelInfo): ModelInfo => {
    const note = noteOf(info);
    return Object.keys(note).length === 0 ? info : { ...info, note };
  };
  const unlisted = (name: string): ModelInfo => noted({ name, capabilities: [], cloud: !local });
  const models = (): readonly ModelInfo[] => {
    const listed = (live.lastList() ?? []).map(noted);
    return own === "" || listed.some(({ name }) => name === own) ? listed : [unlisted(own), ...listed];
  };
  return {
    provider: live.provider,
    loader: live.loader,
    learnLoad: (name, ms) => knowledge.learnLoad(keyOf(name), ms),
    host: () => queueHost(baseUrl),
    atOnce: () => chosenAtOnce ?? (local ? localAtOnce() : serverLimits.queueCloudMax),
    chosenAtOnce,
    slots,
    note: (name) => knowledge.note(keyOf(name)),
    // An OpenAI-compatible server does not report its memory; a model that is loaded now has a window.
    answerStarted: ({ model }) => live.findWindow?.(model),
    learnReading: (name, tokens, ms) => knowledge.learnReading(keyOf(name), tokens, ms),
    countsWholePrompt: () => true,
    countTokens: live.countTokens,
    endHeldAnswer: live.endHeldAnswer,
    holdsAnswers: () => live.holdsAnswers?.() === true,
    facts: () => ({
      provider: id,
      models: models(),
      model: own,
      plan: (info) => planConnectionWindow(info, noteOf(info), numCtx, live.memoryBytes),
      unlisted,
      template: (name) => live.template?.(name),
    }),
    knowledge,
    keyOf,
    choosesWindow: live.memoryBytes === undefined,
    allocated: (model) => live.lastWindow?.(model),
  };
}

/** The key of a model's note; the digest is that of the last list. */
export function connectionModelKey(live: Pick<ActiveConnection, "toConnection" | "lastList">, name: string): ModelKey {
  const digest = live.lastList()?.find((model) => model.name === name)?.digest;
  return { provider: live.toConnection().id, name, digest };
}

/** Queue key: the origin, with localhost as 127.0.0.1, so that one machine counts as one server. */
const queueHost = (baseUrl: string): string => new URL(baseUrl).origin.replace("//localhost", "//127.0.0.1");
