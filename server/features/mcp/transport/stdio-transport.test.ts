import { expect, test } from "vitest";
import { failureReason, McpError } from "../failure";
import { hostileServer } from "../test-mcp";
import { makeStdioTransport } from "./stdio-transport";

test("a transport that is closed during the checks before its start starts nothing", async () => {
  const markers: string[] = [];
  const leftovers = {
    record({ marker }: { readonly marker: string }) {
      markers.push(marker);
      return () => {};
    },
  };
  const transport = makeStdioTransport({ ...hostileServer("never-ready"), leftovers });
  const started = transport.start().then(
    () => null,
    (error: unknown) => error,
  );
  await transport.close();
  const error = await started;
  expect(error instanceof McpError && failureReason(error.error)).toBe("closed");
  expect([transport.pid, markers]).toEqual([null, []]);
});
