/** Query of the prompts and resources of MCP servers. A push about the servers refreshes it. Without a project there are none. */
import { queryOptions, skipToken, type UseQueryResult } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import type { McpOffers } from "@/lib/tools/mcp";
import { callValue } from "./queries";

export const offersQuery = (call: Parameters<typeof callValue>[0], projectId: ProjectId | null) =>
  queryOptions<McpOffers>({
    queryKey: ["mcp", projectId, "offers"],
    staleTime: 30_000,
    queryFn: projectId === null ? skipToken : () => callValue(call, "mcp.offers", { projectId }),
  });

/** Whether a query has its first answer or error. */
export const isAnswered = ({ isPending, failureCount }: Pick<UseQueryResult, "isPending" | "failureCount">): boolean =>
  !isPending || failureCount > 0;
