// Loaded into the server before its own code (NODE_OPTIONS): on SIGUSR2 the longest delay of its event loop since the last
// signal, in ms, becomes the content of the file that GOPI_BENCH_LOOP names.
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
