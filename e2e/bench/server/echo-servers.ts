/** MCP servers of a fixture, with as many tools as a bench needs. */
import { fileURLToPath } from "node:url";
import { pollFor } from "../bench";
import type { BenchProduct } from "./bench-product";

export const echoServer = fileURLToPath(new URL("../../fixtures/echo-server.mjs", import.meta.url));

export const manyToolServers = 4;
const toolsPerServer = 500;
export const manyTools = manyToolServers * toolsPerServer;

/** Adds servers with as many tools as a home can have. */
export const addManyTools = (product: BenchProduct): Promise<void> =>
  addEchoServers(
    product,
    Object.fromEntries(Array.from({ length: manyToolServers }, (_, index) => [`server${index}`, toolsPerServer])),
  );

/** Adds and approves servers of the fixture, by name and number of tools. */
export async function addEchoServers(product: BenchProduct, counts: Readonly<Record<string, number>>): Promise<void> {
  const { projects } = await product.call("project.list", {});
  const projectId = projects[0]?.id;
  const entries = Object.entries(counts).map(([name, count]) => [
    name,
    { command: process.execPath, args: [echoServer, `${count}`] },
  ]);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) });
  const { servers } = await product.call("mcp.add", { projectId, text, names: Object.keys(counts) });
  for (const { id, launchHash } of servers)
    await product.call("mcp.approve", { projectId, server: id, launch: launchHash });
  await pollFor("the tools of the servers", 60_000, async () => {
    const { servers: now } = await product.call("mcp.state", { projectId });
    return now.every(({ status, tools }) => status === "idle" && tools.length > 0) || undefined;
  });
}
