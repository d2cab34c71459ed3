/** Context sources that read ahead: prepares them before a message, and has what was prepared last. */
import type { ProjectId } from "@/lib/events/id";
import type { ContextSource, ContextText } from "@/server/agent/context/context-source";
import { makeBoundedAttempts } from "@/server/base/bounded-attempts";

/** Longest wait for one source before a message, ms. */
const prepareMs = 2_000;

interface PreparedContext {
  /**
   * Prepares the sources for the next blocks in the project. One that fails or takes too long is logged and keeps what
   * it prepared before; one that hangs is skipped until it answers. Never rejects; calls for one project resolve in their
   * order, so messages do too.
   */
  prepare(projectId: ProjectId): Promise<void>;
  /** The sources, those with `prepare` with the text of their last preparation for the project. */
  sources(projectId: ProjectId): readonly ContextSource[];
}

export function makePreparedContext(options: {
  sources(): readonly ContextSource[];
  log(line: string): void;
}): PreparedContext {
  const attempt = makeBoundedAttempts(prepareMs);
  const prepared = new WeakMap<ContextSource, Map<ProjectId, ContextText>>();
  const textsOf = (source: ContextSource): Map<ProjectId, ContextText> => {
    const texts = prepared.get(source) ?? new Map<ProjectId, ContextText>();
    prepared.set(source, texts);
    return texts;
  };
  /** Resolves with the text; null = none, or it arrived after the limit: blocks do not change between two messages. */
  const prepareOne = async (source: ContextSource, projectId: ProjectId): Promise<ContextText | null> => {
    const { topic, prepare } = source;
    if (prepare === undefined) return null;
    const prepared = await attempt(JSON.stringify([topic, projectId]), (signal) => prepare(projectId, signal));
    if (prepared.kind === "failed")
      options.log(`The context source ${topic} was not prepared: ${String(prepared.error)}`);
    return prepared.kind === "done" ? prepared.value : null;
  };
  const prepareAll = async (projectId: ProjectId, previous: Promise<void> | undefined): Promise<void> => {
    const sources = options.sources();
    const texts = await Promise.all(sources.map((source) => prepareOne(source, projectId)));
    await previous;
    for (const [index, source] of sources.entries()) {
      const text = texts[index] ?? null;
      if (text !== null) textsOf(source).set(projectId, text);
    }
  };
  const newest = new Map<ProjectId, Promise<void>>();
  return {
    prepare(projectId) {
      const preparation = prepareAll(projectId, newest.get(projectId));
      newest.set(projectId, preparation);
      return preparation;
    },
    sources: (projectId) =>
      options.sources().map((source) => {
        const text = prepared.get(source)?.get(projectId);
        return text === undefined ? source : { ...source, text };
      }),
  };
}
