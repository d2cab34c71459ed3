/** The feature over the real worker, files and store, in a session of the product whose model is a script. */
import { onTestFinished } from "vitest";
import type { Json } from "@/lib/events/content";
import type { Result } from "@/lib/events/error";
import { apiPartMaxChars } from "@/lib/protocol/openapi-commands";
import type { Session } from "@/server/session/core/session-types";
import {
  callAnswer,
  makeTestHarness,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
} from "@/server/session/testing/test-harness";
import { pathEntries } from "@/lib/view/view";
import { makeOpenApiFeature } from "./openapi-feature";
import { sendApiRequest } from "./request/send-request";
import { makeDocumentReader, openApiWorker } from "./worker/run-openapi-worker";

/** A shop whose requests go to `address`. */
export const shopDocument = (address: string, more: { readonly [path: string]: Json } = {}): Json => ({
  openapi: "3.1.0",
  info: { title: "Shop API", version: "1.2", description: "Sells things." },
  servers: [{ url: address }],
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      user: { type: "http", scheme: "basic" },
      certificate: { type: "mutualTLS" },
    },
  },
  paths: {
    "/items": {
      get: {
        operationId: "listItems",
        summary: "Lists items",
        parameters: [{ name: "tag", in: "query", schema: { type: "string" } }],
      },
      post: {
        operationId: "createItem",
        summary: "Creates an item",
        security: [{ key: [] }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { name: { type: "string" }, price: { type: "number" } },
                required: ["name"],
              },
            },
          },
        },
      },
    },
    "/items/{id}": { get: { operationId: "getItem", summary: "Reads an item" } },
    "/photos": {
      post: { operationId: "addPhoto", requestBody: { required: true, content: { "image/png": {} } } },
    },
    ...more,
  },
});

export async function makeOpenApiRig(program: URL, home?: string) {
  let feature: ReturnType<typeof makeOpenApiFeature> | null = null;
  const harness = await makeTestHarness({ catalogueSources: () => feature?.catalogueSources ?? [] });
  const stop = new AbortController();
  const open = () => {
    const { store } = harness;
    const host = { store, home: home ?? harness.home, now: Date.now, push: () => {} };
    const readDocument = makeDocumentReader({ ...openApiWorker, program });
    const opened = makeOpenApiFeature(host, { readDocument, send: sendApiRequest });
    feature = opened;
    return opened;
  };
  const opened = open();
  const stopped = opened.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await stopped;
  });
  const session = harness.session("full");
  const upload = async (text: string): Promise<string> => {
    for (let part = 0; part === 0 || part * apiPartMaxChars < text.length; part += 1)
      okValue(
        await opened.commands["openapi.upload"]({
          upload: "u",
          part,
          text: text.slice(part * apiPartMaxChars, (part + 1) * apiPartMaxChars),
        }),
      );
    return "u";
  };
  return {
    harness,
    session,
    commands: opened.commands,
    tools: () => (feature?.catalogueSources ?? []).flatMap((source) => source.tools(session.view.projectId)),
    /** Opens the feature again, as after a restart. */
    reopen: () => open().commands,
    upload,
    paste: async (document: Json) =>
      okValue(await opened.commands["openapi.add"]({ upload: await upload(JSON.stringify(document)) })),
    /** The model calls a tool through the toolbox; the card is allowed. Returns the call. */
    async call(tool: string, input: Json, isAsked = true) {
      harness.script(callAnswer(["toolbox", { tool, input }]), textAnswer("Done."));
      await send(session, isAsked);
      return pathEntries(session.view)
        .flatMap((entry) => (entry.kind === "message" ? entry.calls : []))
        .at(-1);
    },
  };
}

async function send(session: Session, isAsked: boolean): Promise<void> {
  const sent = session.send("go", "prompt", testCommandId());
  if (!sent.ok) throw new Error("not sent");
  if (isAsked) {
    const [card] = await waitForCards(session);
    if (card === undefined) throw new Error("no card");
    session.answer(card.approvalId, { option: "once" }, testTab);
  }
  await sent.value.done;
}

/** Returns the value; throws the error. */
export function okValue<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
