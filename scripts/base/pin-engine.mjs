// Makes the catalogue of llama.cpp's builds from a release: finds its archives, downloads each one once and takes its size
// and SHA-256 checksum. The digest that GitHub states must be the same. Node built-ins only.
import { createHash } from "node:crypto";

const attempts = 3;

/** Builds in the order of the catalogue; `archives` match names of the release, the server's archive first. */
const builds = [
  ["darwin", "arm64", "metal", /^llama-b\d+-bin-macos-arm64\.tar\.gz$/],
  ["darwin", "x64", "cpu", /^llama-b\d+-bin-macos-x64\.tar\.gz$/],
  ["linux", "x64", "cpu", /^llama-b\d+-bin-ubuntu-x64\.tar\.gz$/],
  ["linux", "x64", "vulkan", /^llama-b\d+-bin-ubuntu-vulkan-x64\.tar\.gz$/],
  ["linux", "x64", "cuda12", /^llama-b\d+-bin-ubuntu-cuda-12\.\d+-x64\.tar\.gz$/],
  ["linux", "x64", "cuda13", /^llama-b\d+-bin-ubuntu-cuda-13\.\d+-x64\.tar\.gz$/],
  ["linux", "arm64", "cpu", /^llama-b\d+-bin-ubuntu-arm64\.tar\.gz$/],
  ["linux", "arm64", "vulkan", /^llama-b\d+-bin-ubuntu-vulkan-arm64\.tar\.gz$/],
  ["win32", "x64", "cpu", /^llama-b\d+-bin-win-cpu-x64\.zip$/],
  ["win32", "x64", "vulkan", /^llama-b\d+-bin-win-vulkan-x64\.zip$/],
  ["win32", "x64", "cuda12", /^llama-b\d+-bin-win-cuda-12\.\d+-x64\.zip$/],
  ["win32", "x64", "cuda13", /^llama-b\d+-bin-win-cuda-13\.\d+-x64\.zip$/],
  ["win32", "arm64", "cpu", /^llama-b\d+-bin-win-cpu-arm64\.zip$/],
].map(([platform, arch, kind, name]) => ({ platform, arch, kind, name }));

/** CUDA's libraries are an archive of their own, `cudart-llama-…` with or without the release's name. */
function librariesFor({ kind }, server, names) {
  if (!kind.startsWith("cuda")) return [];
  const system = server.replace(/^llama-b\d+-/, "");
  const found = names.find((name) => name.replace(/^cudart-llama-(?:b\d+-)?/, "") === system);
  if (found === undefined) throw new Error(`the release has no libraries of CUDA for ${server}`);
  return [found];
}

/** The newest of the matching names by their version, so that CUDA 13.4 precedes 13.1. */
const findNewest = (names, pattern) =>
  names
    .filter((name) => pattern.test(name))
    .sort((one, other) => other.localeCompare(one, "en", { numeric: true }))
    .at(0);

/**
 * The names of each build's archives. Throws if the release lacks a build: it is then removed from the table by a person.
 */
export function chooseArchives(names) {
  return builds.map((build) => {
    const server = findNewest(names, build.name);
    if (server === undefined) throw new Error(`the release has no archive like ${build.name.source}`);
    const { platform, arch, kind } = build;
    return { platform, arch, kind, archives: [server, ...librariesFor(build, server, names)] };
  });
}

async function hashOf(address, onBytes) {
  const response = await fetch(address, { headers: { "user-agent": "gopi-web" } });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of response.body) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(chunk.length);
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** `asset` as in GitHub's API: name, size, digest (`sha256:…`, or null for older releases), browser_download_url. */
async function pinAsset({ name, size, digest, browser_download_url: address }, onBytes) {
  let failure;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      const found = await hashOf(address, onBytes);
      if (found.bytes !== size) throw new Error(`${name} has ${found.bytes} bytes instead of ${size}`);
      if (digest && digest !== `sha256:${found.sha256}`)
        throw new Error(`${name} has the checksum ${found.sha256}, the release states ${digest}`);
      return { name, ...found };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * Returns the catalogue of the release with this tag. `api` = address of GitHub's API; `report` is called with the name of
 * each archive before its download. Throws if the release lacks a build, or an archive is not what the release states.
 */
export async function pinRelease(api, tag, report, onBytes = () => {}) {
  const address = `${api}/repos/ggml-org/llama.cpp/releases/tags/${tag}`;
  const response = await fetch(address, {
    headers: { accept: "application/vnd.github+json", "user-agent": "gopi-web" },
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const { assets } = await response.json();
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  const chosen = chooseArchives([...byName.keys()]);
  const pinned = [];
  for (const { archives, ...build } of chosen) {
    const entries = [];
    for (const name of archives) {
      report(name);
      entries.push(await pinAsset(byName.get(name), onBytes));
    }
    pinned.push({ ...build, archives: entries });
  }
  const [first] = assets;
  return { tag, base: first.browser_download_url.slice(0, -first.name.length), builds: pinned };
}
