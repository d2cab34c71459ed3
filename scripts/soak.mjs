// `npm run soak [-- kills [seed]]`: builds what is stale, then kills the product so many times (1,000 by default), audits after each
// kill, cuts connections, and prints counts. Exit 1 when anything was lost or done twice. Called by package.json.
import { runBuilt } from "./base/run-built.mjs";

await runBuilt("e2e/soak/main.ts");
