/** A real JupyterHub that starts the product for its users, with the files of deploy/. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, expect, type Page, test as base } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { hubPassword, hubProblem, type JupyterHub, startJupyterHub } from "../fixtures/jupyter-hub";
import { type ScriptedModel, startScriptedModel } from "../fixtures/scripted-model.mjs";
import { TerminalPageObject, withoutWebgl } from "../pages/terminal-page";
import { WorkbenchPageObject } from "../pages/workbench-page";

const problem = hubProblem();

const test = base.extend<{ readonly model: ScriptedModel; readonly hub: JupyterHub }>({
  model: async ({}, use) => {
    const model = await startScriptedModel({});
    await use(model);
    await model.close();
  },
  hub: async ({ model }, use) => {
    const hub = await startJupyterHub(model.url);
    await use(hub);
    expect(await hub.stop(), "processes left running").toBe("");
  },
});

test.skip(problem !== null, problem ?? "");

/** Signs in at the hub, which then shows the page that the browser wanted. */
async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Username:").fill(name);
  await page.getByLabel("Password:").fill(hubPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** A page of a new browser that is signed in at the hub and whose server runs. */
async function enter(context: BrowserContext, hub: JupyterHub, name: string): Promise<WorkbenchPageObject> {
  const page = await context.newPage();
  await withoutWebgl(page);
  await page.goto(`${hub.origin}/hub/login?next=%2Fhub%2Fspawn`);
  await signIn(page, name);
  await expect(page).toHaveURL(`${hub.origin}/user/${name}/`);
  const bench = new WorkbenchPageObject(page);
  await bench.expectOnline();
  return bench;
}

test(
  "a person's day: card, terminal, upload, second tab, stop, start, logout, hub away",
  onlyInFull,
  async ({ hub, model, context }) => {
    test.setTimeout(600_000);
    const { ann } = hub;
    const work = join(ann.home, "work");
    model.setScript({
      turns: [
        { toolCalls: [{ name: "write_file", arguments: { path: "made.txt", content: "by the model\n" } }] },
        { text: "The file is made." },
      ],
    });
    const bench = await enter(context, hub, ann.name);
    const { page, session } = bench;
    await test.step("a prompt with a card", async () => {
      await bench.begin("Make a file.");
      await session.card.once.click();
      await expect(session.conversation.getByText("The file is made.")).toBeVisible();
      expect(readFileSync(join(work, "made.txt"), "utf8")).toBe("by the model\n");
    });
    await test.step("a terminal, which has no token of the hub", async () => {
      const terminal = new TerminalPageObject(page);
      await terminal.open();
      await terminal.type(
        "id -un > who.txt; env | grep -c TOKEN; cat /proc/$PPID/environ | grep -ac API_TOKEN; echo done",
      );
      await expect.poll(() => terminal.text()).toMatch(/\n0\n0\ndone/);
      expect(readFileSync(join(work, "who.txt"), "utf8")).toBe(`${ann.name}\n`);
    });
    await test.step("an upload", async () => {
      await page.getByRole("button", { name: "Files" }).first().click();
      const source = join(work, "../upload.txt");
      writeFileSync(source, "uploaded");
      const row = page.locator('[role=treeitem][data-path="made.txt"]');
      await row.click({ button: "right" });
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("menuitem", { name: "Upload files" }).click();
      await (await chooser).setFiles(source);
      await expect.poll(() => existsSync(join(work, "upload.txt"))).toBe(true);
    });
    const address = page.url();
    await test.step("a reload, and a second tab", async () => {
      await page.reload();
      await expect(session.conversation.getByText("The file is made.")).toBeVisible();
      const second = bench.inTab(await context.newPage());
      await second.open(address);
      await expect(second.session.conversation.getByText("The file is made.")).toBeVisible();
      await second.page.close();
    });
    await test.step("the hub is away, and comes back: no one loses anything", async () => {
      hub.kill();
      await page.reload();
      await expect(session.conversation.getByText("The file is made.")).toBeVisible();
      await bench.expectOnline();
      await hub.start();
      await bench.expectOnline();
      await page.reload();
      await expect(session.conversation.getByText("The file is made.")).toBeVisible();
    });
    await test.step("the hub stops the server, and starts it again from its page", async () => {
      await hub.api("DELETE", `/users/${ann.name}/server`);
      await expect(page.getByText("Your server has probably been stopped")).toBeVisible();
      await page.getByRole("button", { name: "Start it again" }).click();
      await page.getByRole("button", { name: "Launch Server" }).click();
      await expect(page).toHaveURL(new RegExp(`/user/${ann.name}/`));
      await bench.expectOnline();
      await page.goto(address);
      await expect(session.conversation.getByText("The file is made.")).toBeVisible();
    });
    await test.step("a logout at the hub ends the sign-in here", async () => {
      const other = await context.newPage();
      await other.goto(`${hub.origin}/hub/logout`);
      await page.reload();
      await expect(page.getByLabel("Password:")).toBeVisible();
      await signIn(page, ann.name);
      await expect(page).toHaveURL(address);
      await expect(session.conversation.getByText("The file is made.")).toBeVisible();
    });
  },
);

test("only the person gets in; a named server is one of its own", onlyInFull, async ({ hub, browser, context }) => {
  test.setTimeout(600_000);
  const { ann, bob, admin } = hub;
  const bench = await enter(context, hub, ann.name);
  const theirs = `${hub.origin}/user/${ann.name}/`;
  await test.step("another person", async () => {
    const others = await browser.newContext();
    const own = await enter(others, hub, bob.name);
    await own.page.goto(theirs);
    await expect(own.page.getByText("403 : Forbidden")).toBeVisible();
    await others.close();
  });
  await test.step("an admin", async () => {
    const others = await browser.newContext();
    const page = await others.newPage();
    await page.goto(theirs);
    await signIn(page, admin.name);
    await page.getByRole("button", { name: "Authorize" }).click();
    await expect(page.getByText(`This gopi-web belongs to ${ann.name}.`)).toBeVisible();
    await others.close();
  });
  await test.step("a sign-in that is cut leads to a button, and in no circle", async () => {
    const others = await browser.newContext();
    const page = await others.newPage();
    const visits = new Set<string>();
    page.on("request", (request) => {
      if (request.url().includes("/oauth2/authorize")) visits.add(request.url());
    });
    await page.route("**/api/sign-in", (route) =>
      route.request().postData()?.includes('"token"') === true ? route.abort() : route.continue(),
    );
    await page.goto(theirs);
    await signIn(page, ann.name);
    await expect(page.getByText("came back without a sign-in")).toBeVisible();
    // Once; the hub itself returns there after its own sign-in.
    expect(visits.size).toBe(1);
    await page.unroute("**/api/sign-in");
    await page.getByRole("button", { name: "Sign in" }).click();
    await new WorkbenchPageObject(page).expectOnline();
    await others.close();
  });
  await test.step("another user of this machine, at the port", async () => {
    const { port }: { readonly port: number } = JSON.parse(readFileSync(join(ann.home, ".gopi/server.json"), "utf8"));
    const answer = await fetch(`http://127.0.0.1:${port}/user/${ann.name}/api/call`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: "session.list", input: {} }),
    });
    expect(answer.status).toBe(401);
  });
  await test.step("a named server beside the first one", async () => {
    await hub.api("POST", `/users/${ann.name}/servers/two`);
    const second = bench.inTab(await context.newPage());
    await second.open(`${theirs}two/`);
    expect(existsSync(join(ann.home, ".gopi/hub/two/server.json"))).toBe(true);
    await bench.page.reload();
    await bench.expectOnline();
    await second.page.reload();
    await second.expectOnline();
    await hub.api("DELETE", `/users/${ann.name}/servers/two`);
    await second.page.close();
  });
});

test(
  "a run without a look keeps the server in use, a page that was hidden for half an hour does not",
  onlyInFull,
  async ({ hub, model, context }) => {
    test.setTimeout(600_000);
    const { ann } = hub;
    /** Returns the time since the hub last saw this server used, ms; a culler ends servers that are idle for long. */
    const idleMs = async (): Promise<number> => {
      const user = JSON.stringify(await hub.api("GET", `/users/${ann.name}`));
      return Date.now() - Date.parse(/"":{[^}]*?"last_activity":"([^"]+)"/.exec(user)?.[1] ?? "");
    };
    await context.clock.install();
    const { page, session } = await enter(context, hub, ann.name);
    model.setScript({ turns: [{ text: "Done at last.", holdAfter: 0 }] });
    await session.sendMessage("Work for long.");
    await expect(session.stop).toBeVisible();
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.clock.fastForward(31 * 60_000);
    await expect(session.stop).toBeVisible();
    const begun = Date.now();
    await expect.poll(async () => Date.now() - (await idleMs())).toBeGreaterThan(begun + 3_000);
    model.release();
    await expect(session.conversation.getByText("Done at last.")).toBeVisible();
    await page.clock.fastForward(61_000);
    await expect.poll(idleMs).toBeGreaterThan(8_000);
  },
);
