/** Queries of APIs, all below `["openapi"]`. */
import { queryOptions } from "@tanstack/react-query";
import { callValue } from "../../state/queries";

type Call = Parameters<typeof callValue>[0];

export const apisQuery = (call: Call) =>
  queryOptions({ queryKey: ["openapi"], staleTime: 0, queryFn: () => callValue(call, "openapi.state", {}) });

interface ApiToolsInput {
  readonly api: string;
  readonly search: string;
  readonly waiting: boolean;
  /** Pages of 50. */
  readonly pages: number;
}

export const apiToolsQuery = (call: Call, { pages, ...input }: ApiToolsInput) =>
  queryOptions({
    queryKey: ["openapi", "tools", input, pages],
    staleTime: 0,
    queryFn: async () => {
      const lists = await Promise.all(
        Array.from({ length: pages }, (_, page) => callValue(call, "openapi.tools", { ...input, from: page * 50 })),
      );
      return { tools: lists.flatMap(({ tools }) => tools), total: lists[0]?.total ?? 0 };
    },
  });

export const apiToolQuery = (call: Call, api: string, tool: string) =>
  queryOptions({
    queryKey: ["openapi", "tool", api, tool],
    staleTime: 0,
    queryFn: () => callValue(call, "openapi.tool", { api, tool }),
  });
