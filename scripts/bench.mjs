// `npm run bench`: builds what is stale, then measures the product beside its yardsticks (e2e/bench). Options go through:
// --quick (fewer repetitions), --json FILE, --only suite,suite. Called by package.json.
import { runBuilt } from "./base/run-built.mjs";

await runBuilt("e2e/bench/main.ts");
