/**
 * A session shared with another person's phone, and the owner's own second browser: what each sees, may do, and how
 * access ends.
 */
import { networkInterfaces } from "node:os";
import { resolve } from "node:path";
import { io, type Socket } from "socket.io-client";
import { commands } from "@/lib/protocol/command";
import { emptyPageReference, gzipBytes, loadedScripts } from "../fixtures/first-screen";
import { onlyInFull } from "../fixtures/full-run";
import { startProductServer, type TestServer } from "../fixtures/server";
import { findViolations } from "../pages/axe";
import { ShareDialog, ViewerPhone } from "../pages/share-pages";
import { expect, ownServerTest, test } from "../pages/mime-stage";

/** Invented; written in parts so that secret scanners do not report it. */
const plantedKey = ["sk", "proj", "Q7vX2mK9pL4tR8wZ1cB6nH3jY5sD0fGa"].join("-");
const prompt = "What does the settings file say?";
const answerStart = "The settings file names a service.";
const answerEnd = "That is all there is in it.";
/** Above an empty page: rendering of a conversation, the messages of one language, the socket. */
const viewerBudgetBytes = 125_000;

test.use({ files: { "settings.txt": `service = search\nAPI_KEY=${plantedKey}\n` } });

const callAsOwner = async (server: TestServer, name: string, input: unknown): Promise<unknown> => {
  const response = await fetch(`${server.origin}/api/call`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${server.bearer}` },
    body: JSON.stringify({ name, input }),
  });
  const answer: { readonly ok: boolean; readonly value?: unknown } = await response.json();
  expect(answer, `${name} ${JSON.stringify(answer)}`).toMatchObject({ ok: true });
  return answer.value;
};

/** Waits until nothing listens at this address. */
const expectClosed = (origin: string): Promise<void> =>
  expect
    .poll(() =>
      fetch(origin).then(
        () => "open",
        () => "closed",
      ),
    )
    .toBe("closed");

/** Returns for every command how this socket is answered: its error code, or "ok". */
const commandAnswers = async (socket: Socket, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const answers = new Map<string, string>();
  for (const name of names) {
    const answer: { readonly ok: boolean; readonly error?: { readonly code: string } } = await socket
      .timeout(5_000)
      .emitWithAck("call", name, {});
    answers.set(name, answer.ok ? "ok" : (answer.error?.code ?? ""));
  }
  return answers;
};

test("a phone follows a session as it is written, without its secrets, can do nothing, and is disconnected when the link is revoked", async ({
  page,
  bench,
  model,
  server,
  browser,
  place,
}) => {
  const answer = `${answerStart} Its key is ${plantedKey} and it lies in ${place.project}/settings.txt. `;
  model.setScript({
    turns: [
      { text: "I look.", toolCalls: [{ name: "read", arguments: { path: "settings.txt" } }] },
      { toolCalls: [{ name: "bash", arguments: { command: "pwd" } }] },
      { pieces: [...(answer.match(/.{1,5}/gs) ?? []), answerEnd], holdAfter: (answer.match(/.{1,5}/gs) ?? []).length },
    ],
  });
  await bench.begin(prompt);
  await expect(bench.session.conversation).toContainText("Its key is");
  const dialog = new ShareDialog(page);
  await dialog.open();
  const link = await dialog.create();
  await expect(dialog.root.getByRole("img", { name: "QR code for the link" })).toHaveAttribute("aria-busy", "false");
  await dialog.close();

  const phone = await ViewerPhone.open(browser);
  await phone.page.goto(link);
  await expect(phone.conversation).toContainText(answerStart);
  await expect(phone.page.getByText("Live", { exact: true })).toBeVisible();
  await expect(dialog.badge).toHaveText("1 shared link · 1 viewer");
  await expect(phone.conversation).not.toContainText(answerEnd);
  model.release();
  await expect(phone.conversation).toContainText(answerEnd);
  await bench.session.expectIdle();

  // The secret of the link is neither in the URL nor in any storage of the page.
  const { origin } = new URL(link);
  const token = new URL(link).hash.slice(1);
  expect(phone.page.url()).toBe(`${origin}/share`);
  await expect(phone.page).toHaveTitle("Shared session");
  expect(await phone.page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([
    0,
    0,
    "",
  ]);
  expect(await phone.context.cookies()).toEqual([]);
  const foreign = phone.requests.filter((url) => new URL(url).host !== new URL(origin).host);
  expect(foreign, "requests to others").toEqual([]);

  await test.step("its page is light: no editor, no workbench, no composer", async () => {
    const scripts = await loadedScripts(phone.page);
    expect(gzipBytes(resolve("dist/ui"), scripts) - emptyPageReference.scriptBytes).toBeLessThanOrEqual(
      viewerBudgetBytes,
    );
  });

  await test.step("every call opened, nothing secret came", async () => {
    const closed = phone.conversation.locator("button[aria-expanded=false]");
    while ((await closed.count()) > 0) await closed.first().click();
    const all = await phone.allReceivedText();
    expect(all).toContain("service = search");
    for (const secret of [plantedKey, plantedKey.slice(8, 30), place.root, token]) expect(all).not.toContain(secret);
  });

  await test.step("nothing on the page acts, and touch targets are large enough", async () => {
    const buttons = phone.page.getByRole("button");
    await expect(
      buttons.filter({ hasText: /Allow|Deny|Restore|Undo|Continue|Fork|Rewind|Go back|Edit|Open/ }),
    ).toHaveCount(0);
    await expect(phone.page.getByRole("textbox")).toHaveCount(0);
    for (const box of await Promise.all((await buttons.all()).map((button) => button.boundingBox())))
      if (box !== null) expect(box.height).toBeGreaterThanOrEqual(44);
    expect(await findViolations(phone.page)).toEqual([]);
  });

  await test.step("no command of the owner works from a viewer's socket", async () => {
    const socket = io(origin, {
      transports: ["websocket"],
      auth: { token, clientId: "phone-of-a-test" },
      extraHeaders: { origin },
      reconnection: false,
    });
    const ownerCommands = Object.entries(commands).flatMap(([name, { access }]) => (access === "owner" ? [name] : []));
    const answers = await commandAnswers(socket, ownerCommands);
    socket.disconnect();
    expect([...answers.values()].filter((code) => code === "ok" || code === "bad_input")).toEqual([]);
    expect(answers.size).toBeGreaterThan(50);
    for (const path of ["/", "/api/health", "/index.html", "/settings/devices", "/s/s1"])
      expect((await fetch(`${origin}${path}`)).status, path).toBe(404);
    const call = await fetch(`${origin}/api/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.bearer}` },
    });
    expect(call.status).toBeGreaterThanOrEqual(400);
  });

  await test.step("loading again shows the same", async () => {
    await phone.page.reload();
    await expect(phone.conversation).toContainText(answerEnd);
    expect(phone.page.url()).toBe(`${origin}/share`);
  });

  await test.step("after revocation it is empty at once", async () => {
    await dialog.badge.click();
    await expect(dialog.links).toHaveCount(1);
    await dialog.links.getByRole("button", { name: "Revoke" }).click();
    await expect(phone.refusal).toContainText("This share has ended");
    await expect(phone.page.locator("body")).not.toContainText(answerStart);
    await expect(phone.conversation).toHaveCount(0);
    await expect(dialog.badge).toHaveCount(0);
    // The listener closes with the last link: the page still shows the reason, the link leads nowhere.
    await expectClosed(origin);
  });
  await phone.context.close();
});

test("a frozen link shows the session at the time of sharing, and outputs only when they are shared", async ({
  page,
  bench,
  model,
  browser,
}) => {
  model.setScript({
    turns: [
      { text: "I look.", toolCalls: [{ name: "read", arguments: { path: "settings.txt" } }] },
      { text: answerStart },
      { text: answerEnd },
    ],
  });
  await bench.begin(prompt);
  await expect(bench.session.conversation).toContainText(answerStart);
  await bench.session.expectIdle();
  const dialog = new ShareDialog(page);
  await dialog.open();
  const link = await dialog.create({ kind: "Snapshot", outputs: false });
  await dialog.close();
  const phone = await ViewerPhone.open(browser);
  await phone.page.goto(link);
  await expect(phone.conversation).toContainText(answerStart);
  await expect(phone.page.getByText(/^Snapshot from /)).toBeVisible();

  await bench.session.sendMessage("And what else?");
  await expect(bench.session.conversation).toContainText(answerEnd);
  await bench.session.expectIdle();
  await phone.page.reload();
  await expect(phone.conversation).toContainText(answerStart);
  await phone.conversation.locator("button[aria-expanded=false]").first().click();
  await expect(phone.conversation).toContainText("Output isn't shared");
  const all = await phone.allReceivedText();
  for (const hidden of [answerEnd, "And what else?", "service = search"]) expect(all).not.toContain(hidden);
  await phone.context.close();
});

test(
  "an expired link ends by itself, and a wrong one explains what to do",
  onlyInFull,
  async ({ bench, model, server, browser }) => {
    model.setScript({ turns: [{ text: answerStart }] });
    const sessionId = await bench.begin(prompt);
    await bench.session.expectFirstRunEnd();
    const create = async (hours: number): Promise<string> => {
      const created = await callAsOwner(server, "share.create", { sessionId, kind: "live", outputs: true, hours });
      return /"url":"([^"]+)"/.exec(JSON.stringify(created))?.[1] ?? "";
    };
    const phone = await ViewerPhone.open(browser);
    await phone.page.clock.install();
    const link = await create(1);
    await phone.page.goto(link);
    await expect(phone.conversation).toContainText(answerStart);
    await phone.page.clock.fastForward("01:00:01");
    await expect(phone.refusal).toContainText("The link expired");
    await expect(phone.conversation).toHaveCount(0);
    await phone.page.reload();
    await expect(phone.refusal).toContainText("This share has ended");

    const short = await create(1 / 3_600);
    await expect
      .poll(async () => JSON.stringify(await callAsOwner(server, "share.list", { sessionId })).match(/"kind"/g)?.length)
      .toBe(1);
    const late = await ViewerPhone.open(browser);
    await late.page.goto(short);
    await expect(late.refusal).toContainText("This share has ended");
    await late.context.close();

    const wrong = await ViewerPhone.open(browser, "zh-CN");
    await wrong.page.goto(link.replace(/#.*/, `#${"x".repeat(43)}`));
    await expect(wrong.refusal).toContainText("此分享已结束");
    expect(await findViolations(wrong.page)).toEqual([]);
    await wrong.page.goto("about:blank");
    await wrong.page.goto(link.replace(/#.*/, ""));
    await expect(wrong.refusal).toContainText("链接不完整");
    await phone.context.close();
    await wrong.context.close();
  },
);

ownServerTest(
  "the share dialog and the devices tab have no serious fault; a browser that is signed out there loses access at once",
  async ({ page, bench, model, server, browser }) => {
    model.setScript({ turns: [{ text: answerStart }] });
    await bench.begin(prompt);
    await bench.session.expectFirstRunEnd();
    const dialog = new ShareDialog(page);
    await dialog.open();
    expect.soft(await findViolations(page), "a new link").toEqual([]);
    await dialog.create();
    await expect(dialog.links).toHaveCount(1);
    expect.soft(await findViolations(page), "the link").toEqual([]);
    await dialog.close();

    const response = await fetch(`${server.origin}/api/link`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${server.bearer}` },
      body: "{}",
    });
    const { value }: { readonly value: { readonly token: string } } = await response.json();
    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(`${server.origin}/#token=${value.token}`);
    await bench.inTab(other).expectOnline();

    await page.goto(`${server.origin}/settings/devices`);
    await expect(page.locator("[data-reach=here]")).toBeVisible();
    await expect(page.locator("[data-device]")).toHaveCount(2);
    await expect(page.locator("[data-device]").filter({ hasText: "this browser" })).toHaveCount(1);
    expect.soft(await findViolations(page), "devices").toEqual([]);
    await page.getByRole("button", { name: /^Sign out / }).click();
    await expect(other.getByRole("button", { name: "Sign in" })).toBeVisible();
    await expect(page.locator("[data-device]")).toHaveCount(1);
    await context.close();
  },
);

const isOnNetwork = Object.values(networkInterfaces()).some((each) => each?.some(({ internal }) => !internal) === true);
const onNetwork = test.extend({
  hasOwnServer: true,
  server: async ({ place }, use) => {
    test.skip(!isOnNetwork, "this machine has no network");
    const server = await startProductServer(place, ["--host", "0.0.0.0"]);
    await use(server);
    await server.kill("SIGTERM");
  },
});

onNetwork(
  "with --host another device signs in by a link of the devices tab, until the network is closed",
  async ({ page, bench, server, browser }) => {
    await expect(page.locator("[data-network]")).toHaveText("Open to the network");
    await page.locator("[data-network]").click();
    await expect(page).toHaveURL(`${server.origin}/settings/devices`);
    await expect(page.locator("[data-reach=network]")).toBeVisible();
    await expect(page.getByText("This uses plain http")).toBeVisible();
    await page.getByRole("button", { name: "Create sign-in link" }).click();
    const field = page.getByRole("textbox", { name: "Link" });
    await expect(field).toHaveValue(/^http/);
    const link = await field.inputValue();
    expect(new URL(link).hostname).not.toBe("localhost");
    expect.soft(await findViolations(page), "open to the network").toEqual([]);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const phone = await context.newPage();
    await phone.goto(link);
    await expect(phone.getByRole("textbox", { name: "Message" })).toBeVisible();
    await expect(page.locator("[data-device]")).toHaveCount(2);
    await expect(phone.locator("[data-network]")).toBeVisible();

    await page.getByRole("button", { name: "Limit to this machine" }).click();
    await expect(page.locator("[data-reach=here]")).toBeVisible();
    await expect(page.locator("[data-network]")).toHaveCount(0);
    await expectClosed(new URL(link).origin);
    await bench.expectOnline();
    await context.close();
  },
);
