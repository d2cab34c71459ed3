/** Whether commands can be sandboxed on the server's machine. Fetched each time a screen shows it: the server may have restarted. */
import { queryOptions } from "@tanstack/react-query";
import type { SandboxState } from "@/lib/permissions/guard";
import type { ServerConnection } from "./connection/server-connection";
import { callValue } from "./queries";

export const sandboxQuery = (call: ServerConnection["call"]) =>
  queryOptions<SandboxState>({
    queryKey: ["sandbox"],
    retry: false,
    staleTime: 0,
    queryFn: () => callValue(call, "settings.sandbox", {}),
  });
