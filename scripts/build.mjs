// `npm run build`: exports the UI into dist/ui and bundles the server into dist/server, each only when its sources
// changed (`--force` makes both). Prints one line per part on stderr.
import { readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { startScriptsAfterFirstFrame } from "./base/late-scripts.mjs";
import { root } from "./base/root.mjs";
import { copyServerFiles, finalServerBundle, serverFolder } from "./base/server-bundle.mjs";
import { markBuilt, parts, staleParts } from "./base/stamp.mjs";
import { duration, lastLines, runStep, StepError } from "./base/step.mjs";

const uiFolder = join(root, "dist/ui");
const compressible = /\.(?:js|css|html|svg|json)$/;
const minCompressedBytes = 1_024;
// The highest quality takes seconds on big files for a gain of a few percent.
const brotliQuality = (bytes) => (bytes > 262_144 ? 9 : 11);

async function filesBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function bytesOf(files) {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function compress(file) {
  const content = await readFile(file);
  if (content.length < minCompressedBytes) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality(content.length),
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)]);
}

async function compressAll(files) {
  const waiting = files.filter((file) => compressible.test(file));
  const workers = Array.from({ length: 4 }, async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) await compress(file);
  });
  await Promise.all(workers);
}

async function buildUi(key) {
  await rm(uiFolder, { recursive: true, force: true });
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", GOPI_BUILD_ID: key.slice(0, 20) };
  const args = [join(root, "node_modules/next/dist/bin/next"), "build"];
  await runStep({ title: "Exporting the UI", command: process.execPath, args, cwd: root, env });
  const page = join(uiFolder, "index.html");
  await writeFile(page, startScriptsAfterFirstFrame(await readFile(page, "utf8")));
  const files = await filesBelow(uiFolder);
  const bytes = await bytesOf(files);
  await compressAll(files);
  return { folder: uiFolder, files: files.length, bytes };
}

async function buildServer() {
  const { build } = await import("rolldown");
  await rm(serverFolder, { recursive: true, force: true });
  await build(finalServerBundle);
  await copyServerFiles();
  const files = await filesBelow(serverFolder);
  return { folder: serverFolder, files: files.length, bytes: await bytesOf(files) };
}

const builders = { ui: buildUi, server: buildServer };

async function buildPart({ part, key }) {
  const startedAt = performance.now();
  markBuilt(part, null);
  const { folder, files, bytes } = await builders[part](key);
  markBuilt(part, key);
  const size = `${(bytes / 1_048_576).toFixed(1)} MB in ${files} files`;
  const elapsed = duration(performance.now() - startedAt);
  process.stderr.write(`${part}: ${elapsed}, ${size} in ${relative(root, folder)}\n`);
}

if (process.argv.includes("--force")) for (const part of parts) markBuilt(part, null);
try {
  for (const stale of staleParts()) await buildPart(stale);
} catch (error) {
  if (error instanceof StepError) process.stderr.write(`${lastLines(error.log)}\n${error.message}\n`);
  else if (Array.isArray(error.errors)) process.stderr.write(`${error.message}\n`);
  else throw error;
  process.exitCode = 1;
}
