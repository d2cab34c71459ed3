// `npm run soak [-- kills [seed]]`: builds what is stale, then kills the product repeatedly (1,000 times by default),
// audits after each kill, cuts connections, and prints counts. Exits with 1 when anything was lost or done twice.
import { runBuilt } from "./base/run-built.mjs";

await runBuilt("e2e/soak/main.ts");
