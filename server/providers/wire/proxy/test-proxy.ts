/** A proxy on this machine for tests, which the variables of the environment name. It answers in place of all servers. */
import { createServer } from "node:http";
import { onTestFinished, vi } from "vitest";

interface ProxiedRequest {
  readonly method: string;
  /** As it was requested: an address, or host and port. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface TestProxy {
  /** Host and port. */
  readonly host: string;
  readonly requests: readonly ProxiedRequest[];
  /** The first bytes in each tunnel. */
  readonly tunnels: readonly Buffer[];
}

/** `refuses` = the status of all its answers, `opens` = that of a tunnel. The tunnels end after the first bytes. */
export async function useTestProxy({ refuses = 200, user = "", opens = 200 } = {}): Promise<TestProxy> {
  const requests: ProxiedRequest[] = [];
  const tunnels: Buffer[] = [];
  const server = createServer(({ method = "", url = "", headers }, response) => {
    requests.push({ method, target: url, headers });
    response.writeHead(refuses, { "Content-Type": "text/plain" }).end(`proxied ${url}`);
  });
  server.on("connect", ({ method = "", url = "", headers }, socket) => {
    requests.push({ method, target: url, headers });
    socket.on("error", () => socket.destroy());
    if (refuses !== 200) return void socket.end(`HTTP/1.1 ${refuses} Refused\r\n\r\n`);
    socket.write(`HTTP/1.1 ${opens} Connection Established\r\n\r\n`);
    socket.once("data", (bytes: Buffer) => {
      tunnels.push(bytes);
      socket.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
  useProxyVariables({ HTTP_PROXY: `http://${user}${host}`, HTTPS_PROXY: `http://${user}${host}` });
  return { host, requests, tunnels };
}

/** Sets the variables of proxies in capitals, the others to nothing. */
export function useProxyVariables(values: Readonly<Record<string, string>>): void {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
    vi.stubEnv(name.toLowerCase(), undefined);
    vi.stubEnv(name, values[name]);
  }
  onTestFinished(() => void vi.unstubAllEnvs());
}
