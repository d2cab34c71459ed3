// `npm run engine:pin -- b11194`: writes the catalogue of llama.cpp's builds for this release. Downloads all archives, about
// 2.8 GB, to compute their checksums. Node built-ins only.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pinRelease } from "./base/pin-engine.mjs";
import { root } from "./base/root.mjs";

const [tag, ...rest] = process.argv.slice(2);
if (tag === undefined || !/^[\w.-]+$/.test(tag) || rest.length > 0) {
  console.error("Usage: npm run engine:pin -- RELEASE, such as b11194 (github.com/ggml-org/llama.cpp/releases)");
  process.exit(2);
}
const file = join(root, "server/features/engine/program/engine-catalogue.json");
try {
  const catalogue = await pinRelease("https://api.github.com", tag, (name) => console.error(`Downloading ${name}`));
  writeFileSync(file, `${JSON.stringify(catalogue, null, 2)}\n`);
  console.error(`Wrote ${file}. Run \`npm run format\` and \`npm test -- unit server/features/engine\`.`);
} catch (error) {
  console.error(`The catalogue was not changed: ${error.message}`);
  process.exitCode = 1;
}
