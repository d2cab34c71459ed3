/** Queries of the built-in engine; a push replaces the data of the first one. */
import { queryOptions } from "@tanstack/react-query";
import type { EngineState } from "@/lib/models/engine";
import { callValue } from "./queries";

type Call = Parameters<typeof callValue>[0];

/** Looks for the engine's program and reads its models each time a screen with it opens. */
export const engineQuery = (call: Call) =>
  queryOptions<EngineState>({
    queryKey: ["engine"],
    staleTime: 0,
    queryFn: () => callValue(call, "engine.state", {}),
  });

/** Model files of other programs. */
export const foreignModelsQuery = (call: Call) =>
  queryOptions({
    queryKey: ["engine", "found"],
    queryFn: async () => (await callValue(call, "engine.find", {})).models,
  });
