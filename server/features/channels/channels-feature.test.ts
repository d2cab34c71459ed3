import { describe, expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { textAnswer } from "@/server/session/testing/test-harness";
import { ada, bob, makeTestChannels } from "./test-channels";

const kind = "telegram";

const codeIn = (link: string): string => new URL(link).searchParams.get("start") ?? "";

describe("the settings of a channel", () => {
  test("a token is stored, never returned and never logged; without one it cannot be switched on", async () => {
    const channels = await makeTestChannels();
    expect(await channels.attempt("channels.set", { kind, isOn: true })).toMatchObject({
      error: { code: "bad_input", facts: { why: "token" } },
    });
    const view = await channels.call("channels.set_token", { kind, token: "12345:secret-of-the-bot" });
    expect(view).toMatchObject({ token: "stored", isOn: false, connection: { kind: "off" } });
    await channels.connect();
    expect(await channels.view()).toMatchObject({ isOn: true, connection: { kind: "online", name: "Test" } });
    expect(JSON.stringify([await channels.view(), channels.logged, channels.pushes])).not.toContain(
      "secret-of-the-bot",
    );
    const off = await channels.call("channels.set_token", { kind, token: null });
    expect(off).toMatchObject({ token: "none", isOn: false, connection: { kind: "off" } });
    expect(channels.messenger.isOnline()).toBe(false);
  });

  test("a token of the environment counts before a stored one", async () => {
    const channels = await makeTestChannels({ environment: { TELEGRAM_BOT_TOKEN: "1:of-the-environment" } });
    await channels.connect();
    expect((await channels.call("channels.set_token", { kind, token: null })).connection.kind).toBe("online");
    expect((await channels.view()).token).toBe("environment");
  });

  test("a change is pushed to the clients, many at once as one message", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    await channels.nextPush();
    await channels.pair(ada);
    const before = channels.pushes.length;
    const pushed = channels.nextPush();
    for (let at = 0; at < 20; at += 1) await channels.write(ada, "/mode");
    expect(await pushed).toBe("channels");
    expect(channels.pushes.length - before).toBeLessThan(20);
  });

  test("refuses an address that is none, and a project that does not exist", async () => {
    const channels = await makeTestChannels();
    const refused = await channels.attempt("channels.set", { kind, apiAddress: "file:///etc/passwd" });
    expect(refused).toMatchObject({ error: { code: "bad_input", facts: { why: "address" } } });
    const missing = await channels.attempt("channels.set", { kind, projectId: asId<ProjectId>("nowhere") });
    expect(missing).toMatchObject({ error: { code: "not_found" } });
    expect(await channels.call("channels.set", { kind, apiAddress: "http://127.0.0.1:8081" })).toMatchObject({
      apiAddress: "http://127.0.0.1:8081",
    });
  });

  test("a channel that is on is connected by the next start", async () => {
    const channels = await makeTestChannels();
    expect(channels.harness.store.hasWork("channels")).toBe(false);
    await channels.connect();
    expect(channels.harness.store.hasWork("channels")).toBe(true);
    await channels.restart();
    expect((await channels.view()).connection.kind).toBe("online");
  });
});

describe("a stranger", () => {
  test("gets no answer, has no session and costs no request to a model", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    for (const text of ["hello", "/start", "/help", "/start nonsense", "/status"]) await channels.write(ada, text);
    await channels.messenger.deliver(channels.messenger.pressOf(ada, "x".repeat(33)));
    // Somebody who is paired gets an answer after all of it.
    await channels.pair(bob);
    expect(channels.messenger.textsOf(ada.id)).toEqual([]);
    expect(channels.messenger.acknowledged).toEqual([]);
    expect(channels.harness.requests).toEqual([]);
    expect((await channels.view()).people.map(({ id }) => id)).toEqual([bob.id]);
  });

  test("is paired by the code of the link, once, within ten minutes, in a private chat", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    const late = await channels.call("channels.pair", { kind });
    channels.clock.now = late.expiresAt;
    await channels.write(ada, `/start ${codeIn(late.link)}`);
    expect((await channels.view()).people).toEqual([]);
    const replaced = codeIn((await channels.call("channels.pair", { kind })).link);
    const code = codeIn((await channels.call("channels.pair", { kind })).link);
    expect(Buffer.from(code, "base64url").length).toBeGreaterThanOrEqual(16);
    await channels.write(ada, `/start ${replaced}`);
    await channels.write(ada, `/start ${code}`, { isPrivate: false, chatId: "-5" });
    expect((await channels.view()).people).toEqual([]);
    await channels.write(ada, `/start ${code}`);
    await channels.write(bob, `/start ${code}`);
    expect(await channels.view()).toMatchObject({
      people: [{ id: ada.id, name: "Ada", right: "talk", isPaused: false, mode: "ask" }],
    });
    expect((await channels.view()).pairingUntil).toBeUndefined();
  });

  test("has five wrong codes an hour with all others, then even the right one is refused until the hour is over", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    for (let at = 0; at < 5; at += 1) await channels.write(at % 2 === 0 ? ada : bob, `/start wrong${at}`);
    const code = codeIn((await channels.call("channels.pair", { kind })).link);
    await channels.write(ada, `/start ${code}`);
    expect((await channels.view()).people).toEqual([]);
    channels.clock.now += 3_600_000;
    await channels.pair(ada);
    expect((await channels.view()).people).toHaveLength(1);
  });

  test("in a group is ignored, and so is a paired person there", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    await channels.pair(ada);
    await channels.write(ada, "hello", { isPrivate: false, chatId: "-5" });
    await channels.write(ada, "hello", { chatId: "77" });
    await channels.write(ada, "/help");
    await channels.gets(ada, "/sessions");
    expect(channels.messenger.messages.filter(({ chatId }) => chatId !== ada.id)).toEqual([]);
    expect(channels.harness.requests).toEqual([]);
  });
});

describe("a paired person", () => {
  test("is paired only once by an update that the messenger repeats", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    const code = codeIn((await channels.call("channels.pair", { kind })).link);
    const update = channels.messenger.message(ada, `/start ${code}`);
    await channels.messenger.deliver(update);
    await channels.messenger.deliver(update);
    await channels.write(ada, "/mode");
    await channels.gets(ada, "Mode: ask");
    expect(channels.messenger.textsOf(ada.id)).toHaveLength(2);
  });

  test("who is paused sends without effect and gets nothing, until he continues; what happened meanwhile is not sent", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    await channels.pair(ada);
    channels.harness.script(textAnswer("First."));
    await channels.write(ada, "one");
    await channels.gets(ada, "First.");
    await channels.call("channels.set_person", { kind, id: ada.id, isPaused: true });
    await channels.write(ada, "/help");
    const session = await channels.session(ada);
    channels.harness.script(textAnswer("Of the page."));
    const sent = session.send("from the page", "prompt", asId("page"));
    if (sent.ok) await sent.value.done;
    await channels.call("channels.set_person", { kind, id: ada.id, isPaused: false });
    await channels.write(ada, "/mode");
    await channels.gets(ada, "Mode: ask");
    const texts = channels.messenger.textsOf(ada.id).join("\n");
    expect(texts).not.toContain("/sessions");
    expect(texts).not.toContain("Of the page.");
  });

  test("who is removed is a stranger again", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    await channels.pair(ada);
    await channels.pair(bob);
    const before = channels.messenger.textsOf(ada.id).length;
    await channels.call("channels.remove_person", { kind, id: ada.id });
    await channels.write(ada, "/help");
    await channels.write(bob, "/help");
    await channels.gets(bob, "/sessions");
    expect(channels.messenger.textsOf(ada.id)).toHaveLength(before);
    expect(await channels.attempt("channels.remove_person", { kind, id: ada.id })).toMatchObject({
      error: { code: "not_found" },
    });
  });

  test("gets the sentences in the language of the settings", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    await channels.pair(ada);
    channels.harness.settings.current = { ...channels.harness.settings.current, language: "zh-CN" };
    await channels.write(ada, "/help");
    await channels.gets(ada, "开始新会话");
  });
});
