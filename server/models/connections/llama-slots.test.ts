/** How many conversations a llama-server works on at once, over a real socket. */
import { createServer } from "node:http";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { makeModelRig } from "../integration/test-model-rig";

/** A server with one model; `props` = its answer at /props, null = none. Returns its address and the paths it got. */
async function makeServer(meta: object, props: object | null) {
  const paths: string[] = [];
  const list = { data: [{ id: "m", ...meta }] };
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    const body = request.url === "/v1/models" ? list : request.url === "/props" ? props : null;
    response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { error: { message: "not found" } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return { paths, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1` };
}

const llama = { meta: { n_params: 1_000_000_000 } };

test.each<readonly [string, object, object | null, number, boolean]>([
  ["as many as it says", llama, { total_slots: 4 }, 4, true],
  ["one, if it does not say", llama, null, 1, true],
  ["one, if it says nonsense", llama, { total_slots: -3 }, 1, true],
  ["one, if it is another server, which is not asked", {}, { total_slots: 4 }, 1, false],
])("%s", async (_title, meta, props, slots, isAsked) => {
  const { paths, url } = await makeServer(meta, props);
  const { access } = await makeModelRig();
  const saved = access.connections.save({ name: "Own", preset: "custom", baseUrl: url, model: "m", numCtx: 0 });
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
  const live = access.connections.live().get(saved.value.id) ?? expect.fail();
  const entry = access.servers.get(saved.value.id) ?? expect.fail();
  await access.connections.ready(saved.value.id);
  expect(live.lastList()?.map(({ name }) => name)).toEqual(["m"]);
  expect([entry.slots(), entry.atOnce()]).toEqual([slots, slots]);
  expect(paths.includes("/props")).toBe(isAsked);
});
