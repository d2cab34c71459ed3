/** Run by watch.test.ts where the system has hardly a watch left: prints the fallback and the first change it is told of. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeWatcher } from "../watch";

const root = process.argv[2] ?? "";
let fallbacks = 0;
const watcher = makeWatcher(root, {
  onFallback: () => {
    fallbacks += 1;
  },
  onChange: (change) => {
    process.stdout.write(JSON.stringify({ fallbacks, change }));
    void watcher.dispose();
  },
});
await watcher.open(".");
writeFileSync(join(root, "late.txt"), "x");
