"use client";
/** Card of a machine that has a model of the built-in engine, but not its program: what is missing, and its download. */
import { useQuery } from "@tanstack/react-query";
import { ProgramPart } from "../../settings/models/engine/engine-program";
import { engineQuery } from "../../state/engine-queries";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";

/** Nothing if the program is there. */
export function MissingEngineCard() {
  const text = useFullMessages().engine;
  const { call } = useClient();
  const engine = useQuery(engineQuery(call));
  const { data: state } = engine;
  if (state === undefined || state.program !== null) return null;
  return (
    <section aria-label={text.title} className="mt-3 rounded-card border border-line bg-raised p-4 text-ink">
      <ProgramPart state={state} busy={engine.isFetching} onAgain={() => void engine.refetch()} />
    </section>
  );
}
