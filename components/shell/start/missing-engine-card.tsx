"use client";
/** Card of a machine that has a model of the built-in engine, but not its program: what is missing, and its download. */
import { ProgramPart } from "../../settings/models/engine/engine-program";
import { useFullMessages } from "../../messages/full-messages";
import { useCommandQuery } from "../../state/use-command-query";

/** Nothing if the program is there. */
export function MissingEngineCard() {
  const text = useFullMessages().engine;
  const engine = useCommandQuery("engine.state", {});
  const { data: state } = engine;
  if (state === undefined || state.program !== null) return null;
  return (
    <section aria-label={text.title} className="mt-3 rounded-card border border-line bg-raised p-4 text-ink">
      <ProgramPart state={state} busy={engine.isFetching} onAgain={() => void engine.refetch()} />
    </section>
  );
}
