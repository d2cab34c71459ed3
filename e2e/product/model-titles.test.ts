/** A title that the model writes leaves the start of the session's next request as the run sent it, byte by byte. */
import { onTestFinished } from "vitest";
import { expect, test } from "../fixtures/product-test";
import { ProxiedBrowser, requestLinkToken } from "../fixtures/proxied-browser";
import type { ScriptedRequest } from "../fixtures/scripted-model.mjs";
import { freshSoakCommandId } from "../soak/soak-product";

test("a title continues the run's request, and the next request begins with the same bytes", async ({ subject }) => {
  const { server, model, projectId } = subject;
  model.setScript({
    turns: [{ text: "It splits at line feeds." }, { text: "Yes." }],
    side: { when: "Write a title for this conversation", turn: { text: "**Title:** “Lost last line”" } },
  });
  const browser = await ProxiedBrowser.signIn(server.origin, "", await requestLinkToken(server));
  await subject.callOrThrow("settings.write", { patch: { modelTitles: true } });
  const { row } = await subject.callOrThrow("session.create", { projectId, commandId: freshSoakCommandId() });
  const follower = subject.follow(row.id);
  onTestFinished(() => follower.close());
  const send = (text: string) =>
    browser.call("session.send", { sessionId: row.id, commandId: freshSoakCommandId(), text, intent: "prompt" });
  await send("Why does the parser drop the last line?");
  await follower.until(({ title }) => title === "Lost last line");
  await send("Can you fix it?");
  await model.waitFor((requests) => chatRequests(requests).length === 3);
  const [run, title, next] = chatRequests(model.requests);
  const held = title?.messages.slice(0, title.messages.lastIndexOf(',{"role":"user"')) ?? "";
  expect(held.startsWith(`${run?.messages},{"role":"assistant"`)).toBe(true);
  expect(next?.messages.startsWith(`${held},{"role":"user"`)).toBe(true);
  expect(title?.rest).toBe(run?.rest);
  expect(next?.rest).toBe(run?.rest);
});

/** The requests for answers: the bytes of their messages, and the other bytes without the limit of the answer. */
const chatRequests = (requests: readonly ScriptedRequest[]) =>
  requests.flatMap(({ path, raw }) => {
    const [start, end] = [raw.indexOf('"messages":[') + '"messages":['.length, raw.indexOf('],"tools":')];
    const rest = raw.slice(0, start) + raw.slice(end).replace(/"num_predict":\d+/, "");
    return path === "/api/chat" && end > start ? [{ messages: raw.slice(start, end), rest }] : [];
  });
