/** The server is ended while a model server that holds answers writes one: it is received whole, from one reading of the prompt. */
import { onTestFinished } from "vitest";
import { startHoldingServer } from "@/lib/testing/test-holding-server";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { expect, test } from "../../fixtures/product-test";
import { readLoggedEvents } from "../../fixtures/stored-log";
import { freshSoakCommandId } from "../../soak/soak-product";

const answers = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));
const textOf = (view: SessionView): string =>
  (answers(view).at(-1)?.blocks ?? []).map((block) => ("text" in block ? block.text : "")).join("");

test.for(["SIGKILL", "SIGTERM"] as const)(
  "an answer during which the server gets %s is whole, stored once, and its prompt was read once",
  async (signal, { subject }) => {
    const model = await startHoldingServer();
    onTestFinished(model.close);
    const connection = { name: "Llama", preset: "llamacpp", baseUrl: model.baseUrl, model: "held-model", numCtx: 0 };
    const { id } = await subject.callOrThrow("connections.save", connection);
    const { row } = await subject.callOrThrow("session.create", {
      projectId: subject.projectId,
      commandId: freshSoakCommandId(),
      model: "held-model",
      connection: id,
    });
    const follower = subject.follow(row.id);
    onTestFinished(() => follower.close());
    await subject.callOrThrow("session.send", {
      sessionId: row.id,
      commandId: freshSoakCommandId(),
      text: "Go.",
      intent: "prompt",
    });
    await model.waitFor(() => model.reads === 1);
    model.write("The first half, ");
    await follower.until((view) => textOf(view) === "The first half, ");
    await subject.server.kill(signal);
    model.write("the second half, ");
    await subject.restart();
    await follower.until((view) => textOf(view) === "The first half, the second half, ");
    model.write("and the end.");
    model.finish();
    await follower.until((view) => view.run === null && answers(view).at(-1)?.stop === "done");
    expect(textOf(await subject.freshView(row.id))).toBe("The first half, the second half, and the end.");
    const ends = readLoggedEvents(subject.place.home, row.id).flatMap(({ event }) =>
      event.type === "message_end" ? [event] : [],
    );
    expect(ends.map(({ stop }) => stop)).toEqual(["done", "done"]);
    expect(model.reads).toBe(1);
  },
);
