/** The catalogue of a release, from a server on this machine with the API's form. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import catalogue from "../../server/features/engine/program/engine-catalogue.json";
import { chooseArchives, pinRelease } from "./pin-engine.mjs";

const names = catalogue.builds.flatMap(({ archives }) => archives.map(({ name }) => name));
const contentOf = (name) => Buffer.from(`content of ${name}`);
const sumOf = (name) => createHash("sha256").update(contentOf(name)).digest("hex");

async function serveRelease(change = (asset) => asset) {
  const server = createServer((request, response) => {
    const base = `http://127.0.0.1:${server.address().port}`;
    if (request.url !== "/repos/ggml-org/llama.cpp/releases/tags/b11194") {
      const name = request.url.split("/").at(-1);
      response.writeHead(names.includes(name) ? 200 : 404).end(contentOf(name));
      return;
    }
    const assets = [...names, "llama-b11194-xcframework.zip"].map((name) =>
      change({
        name,
        size: contentOf(name).length,
        digest: `sha256:${sumOf(name)}`,
        browser_download_url: `${base}/download/b11194/${name}`,
      }),
    );
    response.end(JSON.stringify({ assets }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

it("finds the archives of the pinned release as the catalogue has them", () => {
  const chosen = chooseArchives(names);
  const expected = catalogue.builds.map(({ archives, ...build }) => ({
    ...build,
    archives: archives.map(({ name }) => name),
  }));
  expect(chosen).toEqual(expected);
});

it("takes the newest version of CUDA that has its libraries", () => {
  const more = [...names, "llama-b11194-bin-ubuntu-cuda-13.10-x64.tar.gz"];
  expect(() => chooseArchives(more)).toThrow("no libraries of CUDA");
  const [cuda] = chooseArchives([...more, "cudart-llama-b11194-bin-ubuntu-cuda-13.10-x64.tar.gz"]).filter(
    ({ platform, kind }) => platform === "linux" && kind === "cuda13",
  );
  expect(cuda.archives).toEqual([
    "llama-b11194-bin-ubuntu-cuda-13.10-x64.tar.gz",
    "cudart-llama-b11194-bin-ubuntu-cuda-13.10-x64.tar.gz",
  ]);
});

it("computes size and checksum of each archive from its bytes", async () => {
  const api = await serveRelease();
  const reported = [];
  const pinned = await pinRelease(api, "b11194", (name) => reported.push(name));
  expect(pinned).toMatchObject({ tag: "b11194", base: `${api}/download/b11194/` });
  expect(pinned.builds).toHaveLength(catalogue.builds.length);
  expect(pinned.builds[0].archives).toEqual([
    { name: names[0], bytes: contentOf(names[0]).length, sha256: sumOf(names[0]) },
  ]);
  expect(reported.toSorted()).toEqual(names.toSorted());
});

it.each([
  ["another digest", (asset) => ({ ...asset, digest: `sha256:${"0".repeat(64)}` }), "the release states"],
  ["another size", (asset) => ({ ...asset, size: asset.size + 1 }), "instead of"],
  ["an archive that is gone", (asset) => ({ ...asset, browser_download_url: `${asset.browser_download_url}x` }), "404"],
])("refuses a release with %s", async (_title, change, message) => {
  const api = await serveRelease(change);
  await expect(pinRelease(api, "b11194", () => {})).rejects.toThrow(message);
});

it("accepts an older release without digests", async () => {
  const api = await serveRelease((asset) => ({ ...asset, digest: null }));
  await expect(pinRelease(api, "b11194", () => {})).resolves.toMatchObject({ tag: "b11194" });
});
