/** The channels of the server; a push fetches them again. */
import { queryOptions } from "@tanstack/react-query";
import { callValue } from "../../state/queries";

export const channelsQuery = (call: Parameters<typeof callValue>[0]) =>
  queryOptions({
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryKey: ["channels"],
    queryFn: async () => (await callValue(call, "channels.list", {})).channels,
  });
