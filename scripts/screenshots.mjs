// `npm run screenshots`: builds what is stale, then takes screenshots of the product into docs/screenshots
// (e2e/screenshots).
import { runBuilt } from "./base/run-built.mjs";

await runBuilt("e2e/screenshots/main.ts", { browser: true });
