/** Waits until another server has left the home. */
import { setTimeout as sleep } from "node:timers/promises";
import { printable } from "../arguments/options";
import { readServerFile } from "@/server/store/core/server-file";
import { findServerFile, isElsewhere } from "../server-client";
import { isHomeLocked } from "./forward-to-running-server";

/** Time between two looks at the home, ms. */
const lookMs = 1_000;

/** Resolves when no process holds the home; prints once which one does. */
export async function waitForHome(home: string, writeError: (line: string) => void): Promise<void> {
  if (!isHomeLocked(home)) return;
  const file = readServerFile(home);
  const isFar = file !== undefined && isElsewhere(file);
  const server = isFar ? file : findServerFile(home);
  const place = isFar ? ` on ${printable(file.machine ?? "")}` : "";
  const holder = server === null ? "Another gopi-web" : `Process ${server.pid}${place}`;
  writeError(`${holder} serves ${printable(home)}. Waiting for its end, then this one serves.`);
  while (isHomeLocked(home)) await sleep(lookMs);
}
