// A server of the revision 2026-07-28, which also speaks 2025 or refuses it, as its first argument says.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function makeServer() {
  const server = new McpServer({ name: "modern", version: "1" }, { instructions: "Greets." });
  server.registerTool("greet", { description: "Greets.", inputSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    content: [{ type: "text", text: `Hello ${name}` }],
  }));
  return server;
}

serveStdio(makeServer, { legacy: process.argv[2] === "only 2026" ? "reject" : undefined });
