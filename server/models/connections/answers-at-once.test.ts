/** Number of conversations that a llama-server or a vLLM works on at once, over a real socket. */
import { createServer } from "node:http";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { makeModelRig } from "../integration/test-model-rig";

/** A server with one model; `props` = its answer at /props, null = none. Returns its address and the paths it got. */
async function makeServer(meta: object, props: object | null, metrics?: string) {
  const paths: string[] = [];
  const list = { data: [{ id: "m", ...meta }] };
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    if (request.url === "/metrics" && metrics !== undefined) return void response.end(metrics);
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

test.each<readonly [string, object, object | null, number, boolean, string]>([
  ["as many as it says", llama, { total_slots: 4 }, 4, true, "custom"],
  ["as many as it says, if its user takes it for a vLLM", llama, { total_slots: 4 }, 4, true, "vllm"],
  ["one, if it does not say", llama, null, 1, true, "custom"],
  ["one, if it says nonsense", llama, { total_slots: -3 }, 1, true, "custom"],
  ["one, if it is another server, which is not asked", {}, { total_slots: 4 }, 1, false, "custom"],
])("%s", async (_title, meta, props, slots, isAsked, preset) => {
  const { paths, url } = await makeServer(meta, props);
  const { access } = await makeModelRig();
  const saved = access.connections.save({ name: "Own", preset, baseUrl: url, model: "m", numCtx: 0 });
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
  const live = access.connections.live().get(saved.value.id) ?? expect.fail();
  const entry = access.servers.get(saved.value.id) ?? expect.fail();
  await access.connections.ready(saved.value.id);
  expect(live.lastList()?.map(({ name }) => name)).toEqual(["m"]);
  expect([entry.slots(), entry.atOnce()]).toEqual([slots, slots]);
  expect(paths.includes("/props")).toBe(isAsked);
});

const cacheLine = (labels: string): string =>
  `# TYPE vllm:cache_config_info gauge\nvllm:cache_config_info{${labels}} 1.0\n`;

test.each<readonly [string, string | undefined, number]>([
  ["the whole windows that fit its cache", cacheLine('block_size="16",num_gpu_blocks="1573"'), 3],
  ["those of all its engines", cacheLine('engine="0",block_size="16",num_gpu_blocks="573"').repeat(3), 3],
  ["by its own count of tokens", cacheLine('kv_cache_size_tokens="17000",num_gpu_blocks="1",block_size="16"'), 2],
  ["at most 32", cacheLine('block_size="16",num_gpu_blocks="99999999"'), 32],
  ["one, if it does not say", "vllm:num_requests_running 0.0\n", 1],
  ["one, without metrics", undefined, 1],
])("a vLLM answers at once: %s", async (_title, metrics, slots) => {
  const { url, paths } = await makeServer({ max_model_len: 8_192 }, null, metrics);
  const { access } = await makeModelRig();
  const saved = access.connections.save({ name: "Own", preset: "vllm", baseUrl: url, model: "m", numCtx: 0 });
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
  const entry = access.servers.get(saved.value.id) ?? expect.fail();
  for (let request = 0; request < 2; request += 1) await access.connections.models({ id: saved.value.id });
  expect([entry.slots(), entry.atOnce()]).toEqual([slots, slots]);
  expect(paths.filter((path) => path === "/metrics")).toHaveLength(metrics === undefined ? 1 : 2);
});

test("the user's number of answers counts for the whole address, whatever the server says", async () => {
  const { url } = await makeServer(llama, { total_slots: 4 });
  const { access } = await makeModelRig();
  const fields = { preset: "custom", baseUrl: url, model: "m", numCtx: 0 };
  for (const one of [{ name: "Own", atOnce: 2 }, { name: "Other" }])
    expect(access.connections.save({ ...fields, ...one }).ok).toBe(true);
  const entry = access.servers.get("own") ?? expect.fail();
  await access.connections.ready("own");
  expect([entry.slots(), entry.atOnce()]).toEqual([2, 2]);
  const enter = () => access.queue.enter(entry.host(), "session", new AbortController().signal);
  const [release] = [await enter(), await enter()];
  const third = enter();
  expect(await Promise.race([third, new Promise((resolve) => setImmediate(() => resolve("waits")))])).toBe("waits");
  release();
  await third;
});
