// Loaded into the server before its own code (NODE_OPTIONS). On SIGUSR2 it writes the longest event loop delay since
// the previous signal, in ms, to the file named by GOPI_BENCH_LOOP.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const file = process.env.GOPI_BENCH_LOOP;
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on("SIGUSR2", () => {
  writeFileSync(`${file}.part`, String(delays.max / 1_000_000));
  renameSync(`${file}.part`, file);
  delays.reset();
});
