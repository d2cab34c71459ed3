/** Stdio servers leave no process, however the product ends. `npm run soak` does the same at length. */
import { expect, test } from "vitest";
import { isFullRun, longTestMs } from "../../fixtures/full-run";
import { exerciseServers } from "../../soak/mcp-servers";

test(
  "servers that are stopped, and servers at work when the product is killed, leave no process",
  async ({ skip }) => {
    skip(
      process.platform !== "linux",
      "what a killed product left is found by its environment, which only Linux shows",
    );
    expect(await exerciseServers(isFullRun ? { stops: 4, kills: 2 } : { stops: 2, kills: 1 })).toEqual([]);
  },
  longTestMs,
);
