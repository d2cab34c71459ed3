/** Servers on this machine for tests of requests that leave it. */
import { createServer, type RequestListener } from "node:http";
import { afterEach } from "vitest";
import type { EgressOptions } from "./egress";

/** Returns a function that starts a server on this machine and resolves with its port; all are closed after each test. */
export function useWebServers(): (listener: RequestListener) => Promise<number> {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  return async (listener) => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  };
}

/** Every name is this machine, and one of its addresses counts as public. */
export const machineEgressOptions: EgressOptions = {
  resolve: async () => ["127.0.0.1"],
  accepts: (address) => address === "127.0.0.1",
};
