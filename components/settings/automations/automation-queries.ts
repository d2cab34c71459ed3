/** The automations of the server; a push fetches them again. */
import { queryOptions, skipToken } from "@tanstack/react-query";
import type { SessionId } from "@/lib/events/id";
import { callValue } from "../../state/queries";

type Call = Parameters<typeof callValue>[0];

export const automationsQuery = (call: Call) =>
  queryOptions({
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryKey: ["automations"],
    queryFn: async () => (await callValue(call, "automations.list", {})).automations,
  });

/** The first prompt, project and model of a session. */
export const sessionStartQuery = (call: Call, sessionId: SessionId | null) =>
  queryOptions({
    queryKey: ["sessionStart", sessionId],
    retry: false,
    queryFn: sessionId === null ? skipToken : () => callValue(call, "automations.draft", { sessionId }),
  });

/** The next due times of a schedule. */
export const dueTimesQuery = (call: Call, cron: string, zone: string) =>
  queryOptions({
    queryKey: ["dueTimes", cron, zone],
    retry: false,
    staleTime: 60_000,
    queryFn: () => call("automations.preview", { cron, zone }),
  });

/** The calls that the owner allowed in the rehearsal, as rules. */
export const rehearsedRulesQuery = (call: Call, id: string, sessionId: string) =>
  queryOptions({
    queryKey: ["rehearsedRules", id, sessionId],
    retry: false,
    staleTime: 0,
    queryFn: async () => (await callValue(call, "automations.rehearsed_rules", { id })).rules,
  });
