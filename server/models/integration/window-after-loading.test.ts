/** The window of a model that its server loads at the first request, over real sockets. */
import { expect, test } from "vitest";
import { pathEntries } from "@/lib/view/view";
import { planConnectionWindow } from "../connection-window";
import { makeModelRig } from "./test-model-rig";
import { answersOf, openTinySession, sendPrompt } from "./test-tiny-session";
import { startWireServer } from "./test-wire-server";

const loadedWindow = 4_096;

interface LoadingServer {
  readonly baseUrl: string;
  /** Estimated tokens of each prompt as it was sent. */
  readonly sent: readonly number[];
  lists(): number;
  /** Changes what it lists. */
  loadAgain(after: object): void;
}

/** A server that lists `before`, and `after` once it has answered. It cuts prompts without a word. */
async function startLoadingServer(before: object, loaded: object): Promise<LoadingServer> {
  let after = loaded;
  const sent: number[] = [];
  let lists = 0;
  const baseUrl = await startWireServer((request, body, response) => {
    if (request.method !== "POST") {
      const isList = request.url === "/v1/models";
      if (isList) lists += 1;
      response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ data: [{ id: "m", ...(sent.length === 0 ? before : after) }] }));
    }
    const tokens = Math.round(body.length / 4);
    sent.push(tokens);
    const usage = { prompt_tokens: Math.min(tokens, loadedWindow - 40), completion_tokens: 2 };
    const events = [
      { choices: [{ index: 0, delta: { content: "Noted." } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage },
    ];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`);
  });
  return { sent, lists: () => lists, baseUrl, loadAgain: (now) => void (after = now) };
}

async function openSession({ baseUrl }: LoadingServer) {
  const rig = await makeModelRig();
  const saved = rig.access.connections.save({ name: "Own", preset: "custom", baseUrl, model: "m", numCtx: 0 });
  if (!saved.ok) throw new Error(saved.error.code);
  const { id } = saved.value;
  await rig.access.connections.ready(id);
  const session = await openTinySession(rig, { name: "m", connection: id });
  const model = session.view.model ?? expect.fail();
  return { rig, id, session, model, window: () => rig.access.sessionModels.modelFacts(model).window };
}

const maximum = { max_context_length: 262_144 };
const text = "The quick brown fox jumps over the lazy dog again. ".repeat(90);

test("a possible maximum is no window, and after the first answer the window that was loaded holds", async () => {
  const server = await startLoadingServer(maximum, { ...maximum, loaded_context_length: loadedWindow });
  const { rig, id, session, model, window } = await openSession(server);
  expect([model.numCtx, window()]).toEqual([32_768, 32_768]);
  expect(await sendPrompt(session, "hi")).toBe("done");
  expect(window()).toBe(loadedWindow);
  for (let count = 0; count < 6; count += 1) await sendPrompt(session, text);
  expect(Math.max(...server.sent.slice(1))).toBeLessThanOrEqual(loadedWindow);
  // Loaded again with a larger one, the session still has what its first answer was given in.
  expect(session.view.model?.numCtx).toBe(loadedWindow);
  server.loadAgain({ loaded_context_length: 65_536 });
  await rig.access.connections.models({ id });
  expect(rig.access.connections.live().get(id)?.lastWindow?.("m")).toBe(65_536);
  expect(rig.access.sessionModels.modelFacts(session.view.model ?? expect.fail()).window).toBe(loadedWindow);
});

test("a server that never lists its window is asked once more, and a count that stops growing shows the cut", async () => {
  const server = await startLoadingServer(maximum, maximum);
  const { session, window } = await openSession(server);
  for (let count = 0; count < 6; count += 1) await sendPrompt(session, text);
  expect([window(), server.lists()]).toEqual([32_768, 2]);
  const errors = pathEntries(session.view).flatMap((entry) => (entry.kind === "error" ? [entry.error] : []));
  expect(errors).toMatchObject([{ code: "prompt_cut", facts: { read: loadedWindow - 40 } }]);
  expect(answersOf(session.view)).toHaveLength(6);
  expect(server.sent.at(-1)).toBeLessThanOrEqual(loadedWindow);
});

test.each<readonly [string, object, number, number]>([
  ["the default below a large maximum", { possibleContext: 262_144 }, 0, 32_768],
  ["a maximum below the default", { possibleContext: 6_144 }, 0, 6_144],
  ["the choice of the user, up to the maximum", { possibleContext: 65_536 }, 131_072, 65_536],
  ["the window that is allocated", { contextLength: 65_536 }, 0, 65_536],
])("the window of a connection is %s", (_name, facts, numCtx, window) => {
  const model = { name: "m", capabilities: [], cloud: false, ...facts };
  expect(planConnectionWindow(model, {}, numCtx).chosen).toBe(window);
});
