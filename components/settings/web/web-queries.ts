/** Query of the settings of the web. */
import { queryOptions } from "@tanstack/react-query";
import type { WebState } from "@/lib/tools/web";
import { callValue } from "../../state/queries";

type Call = Parameters<typeof callValue>[0];

export const webQuery = (call: Call) =>
  queryOptions<WebState>({
    queryKey: ["web"],
    staleTime: 0,
    // Another window may have changed them.
    refetchOnWindowFocus: true,
    queryFn: () => callValue(call, "web.state", {}),
  });
