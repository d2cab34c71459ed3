/** `gopi-web status`: what works here and what to do next. Asks a running server and never starts one. */
import type { Environment } from "../arguments/options";
import type { StatusArguments } from "../arguments/verb-arguments";
import { printLines } from "../output/print-rows";
import { runInterruptible } from "../server-job";
import { readStatus } from "./read-status";
import { isBrokenStatus, statusLines } from "./status-lines";

/** Exit code: 0, also without a server; 1 something is broken, 130 stopped. */
export const runStatus = ({ home, json }: StatusArguments, environment: Environment): Promise<number> =>
  runInterruptible(async (signal) => {
    const report = await readStatus(home, environment, signal);
    const isBroken = isBrokenStatus(report);
    const lines = json ? [JSON.stringify({ ok: !isBroken, ...report })] : statusLines(report);
    printLines(lines);
    return isBroken ? 1 : 0;
  });
