// `npm run bench`: builds what is stale, then measures the product next to its reference pages (e2e/bench). Options:
// --quick (fewer repetitions), --json FILE, --only suite,suite.
import { runBuilt } from "./base/run-built.mjs";

await runBuilt("e2e/bench/main.ts", { browser: true });
