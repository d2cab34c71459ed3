/**
 * Faults of a model server from the user's view: received text stays, the fault is named, and the user can continue.
 */
import { onlyInFull } from "../fixtures/full-run";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

const numberedWords = Array.from({ length: 30 }, (_, index) => `word${index} `);

test("a server that dies during its answer: the text stays, the request is repeated, and completed calls are not run again", async ({
  bench,
  model,
  project: _project,
}) => {
  const read = { toolCalls: [{ name: "read", arguments: { path: "mime.js", limit: 5 } }] };
  model.setScript({
    turns: [read, { pieces: numberedWords, disconnectAfter: 20 }, { text: "And now the whole answer." }],
  });
  const { session } = bench;
  await bench.begin("Tell me.");
  await expect(session.conversation).toContainText("word19");
  await expect(session.conversation.getByText("And now the whole answer.")).toBeVisible();
  await expect(session.conversation).toContainText("Retried (1 of 3)");
  await expect(session.lines({ verb: "Read", target: "mime.js" })).toHaveCount(1);
});

test(
  "while a server sends nothing yet, the seconds are shown, and Stop is always available",
  onlyInFull,
  async ({ bench, model }) => {
    model.setScript({ turns: [{ text: "late", holdAfter: 0 }] });
    const { session } = bench;
    await bench.begin("hi");
    await expect(session.conversation).toContainText(/(Loading|Reading).*[1-9]\d* s/);
    await session.stop.click();
    await session.expectIdle();
    await model.waitFor((requests) => requests.some(({ path, end }) => path === "/api/chat" && end === "aborted"));
    await expect(session.conversation).not.toContainText("late");
  },
);

test("a server that falls silent between two words: it is reported after 30 s, the text stays, and Stop ends the run", async ({
  bench,
  model,
  page,
}) => {
  model.setScript({ turns: [{ pieces: numberedWords, hangAfter: 20 }, { text: "Here again." }] });
  const { session } = bench;
  await bench.begin("Tell me.");
  await expect(session.conversation).toContainText("word19");
  await page.evaluate(() => {
    const now = Date.now;
    let ahead = 0;
    Date.now = () => now() + ahead;
    globalThis.addEventListener("test-clock", (event) => {
      ahead = event instanceof CustomEvent ? Number(event.detail) : 0;
    });
  });
  const setAhead = (ms: number): Promise<unknown> =>
    page.evaluate((detail) => globalThis.dispatchEvent(new CustomEvent("test-clock", { detail })), ms);
  // Half a minute passes for the page, and again if something of the answer was still on its way.
  let ahead = 0;
  await expect(async () => {
    await setAhead((ahead += 31_000));
    await expect(session.conversation).toContainText(/The model server has been silent for \d/, { timeout: 3_000 });
  }).toPass();
  // A socket that is written to so late takes its heartbeat for lost, and connects again.
  await setAhead(0);
  await session.stop.click();
  await session.expectIdle();
  await expect(session.conversation).toContainText("word19");
  await session.sendMessage("And now?");
  await expect(session.conversation.getByText("Here again.")).toBeVisible();
});

test(
  "a web page instead of an answer is explained, and its beginning is in the details",
  onlyInFull,
  async ({ bench, model }) => {
    const page = { raw: "<html><body>Login to the hotel network</body></html>", type: "text/html" };
    model.setScript({ defaults: page });
    const { session } = bench;
    await bench.begin("hi");
    await expect(session.conversation.getByRole("alert")).toBeVisible();
    await session.conversation.getByRole("button", { name: "Details" }).last().click();
    await expect(session.conversation).toContainText("Login to the hotel network");
  },
);

test(
  "a model that was deleted meanwhile can be pulled from the error message",
  onlyInFull,
  async ({ bench, model }) => {
    model.setScript({ turns: [{ status: 404, error: "model 'scripted:latest' not found" }, { text: "Back again." }] });
    const { session } = bench;
    await bench.begin("hi");
    await expect(session.conversation).toContainText("isn't installed on the model server");
    await session.conversation
      .getByRole("button", { name: /^(Download|Continue)/ })
      .first()
      .click();
    await model.waitFor((requests) => requests.some(({ path }) => path === "/api/pull" || path === "/api/chat"));
  },
);

test(
  "an answer without an end keeps its text, is marked, and can be continued",
  onlyInFull,
  async ({ bench, model }) => {
    model.setScript({ turns: [{ text: "Half an answer", noDone: true }, { text: "And its other half." }] });
    const { session } = bench;
    await bench.begin("hi");
    await expect(session.conversation).toContainText("The answer ended before it was complete.");
    await expect(session.conversation).toContainText("Half an answer");
    await session.conversation.getByRole("button", { name: "Continue" }).click();
    await expect(session.conversation.getByText("And its other half.")).toBeVisible();
  },
);

test("calls that cannot be run have their own cards, and the model receives the reason", async ({ bench, model }) => {
  const lists = Array.from({ length: 200 }, () => ({ name: "ls", arguments: { path: "src" } }));
  model.setScript({
    turns: [
      { toolCalls: [{ name: "read", arguments: '{"path": "mime.js", "offs' }] },
      { toolCalls: [{ name: "fly_away", arguments: { where: "south" } }] },
      { toolCalls: [{ name: "read", arguments: { path: { deep: true } } }] },
      { toolCalls: lists },
      { text: "I give up." },
    ],
  });
  const { session } = bench;
  await bench.begin("Do it.");
  await expect(session.conversation.getByText("I give up.")).toBeVisible();
  const last = chatRequestBodies(model).at(-1) ?? "";
  expect(last).toContain("Call it like this");
  expect(last).toContain('There is no tool \\"fly_away\\"');
  expect(last).toContain("one message may have 64 calls");
});

test(
  "ten megabytes of one letter are stopped, and the page stays responsive",
  onlyInFull,
  async ({ bench, model, page }) => {
    model.setScript({
      turns: [{ pieces: Array.from({ length: 2_500 }, () => "a".repeat(4_096)) }, { text: "Sorry." }],
    });
    const { session } = bench;
    await bench.begin("Write.");
    await session.expectFirstRunEnd();
    await expect(session.conversation).toContainText(/kept repeating the same words|output limit was reached/);
    // The page responds at once: a key in the composer appears within the next frames.
    await session.composer.fill("still here");
    await expect(session.composer).toHaveValue("still here");
    expect((await page.content()).length).toBeLessThan(3_000_000);
  },
);
