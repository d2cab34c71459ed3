/** Waits until another server has left the home. */
import { setTimeout as sleep } from "node:timers/promises";
import { printable } from "../arguments/options";
import { findServerFile } from "../server-client";
import { isHomeLocked } from "./forward-to-running-server";

/** Time between two looks at the home, ms. */
const lookMs = 1_000;

/** Resolves when no process holds the home; prints once which one does. */
export async function waitForHome(home: string, writeError: (line: string) => void): Promise<void> {
  if (!isHomeLocked(home)) return;
  const server = findServerFile(home);
  const holder = server === null ? "Another gopi-web" : `Process ${server.pid}`;
  writeError(`${holder} serves ${printable(home)}. Waiting for its end, then this one serves.`);
  while (isHomeLocked(home)) await sleep(lookMs);
}
