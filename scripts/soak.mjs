// `npm run soak [-- kills [seed]]`: builds what is stale, then kills the product repeatedly (1,000 times by default),
// audits after each kill, cuts connections, and prints counts. Exits with 1 when anything was lost or done twice.
// `npm run soak -- --openapi FILE` adds a real OpenAPI document instead, and prints its time and what cannot be used of it.
import { runBuilt } from "./base/run-built.mjs";

await runBuilt("e2e/soak/main.ts");
