/** The product behind a proxy that publishes it below a path: every request of the page stays below that path. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { TestDetails } from "@playwright/test";
import { freePort } from "../bench/server/bench-product";
import { makeCertificate } from "../fixtures/certificate";
import { type FrontProxy, startFrontProxy } from "../fixtures/front-proxy";
import { onlyInFull } from "../fixtures/full-run";
import { mainJobTurns, mimeFix, plantMimeProject } from "../fixtures/mime-project";
import {
  missingProgram,
  type ProxyProgram,
  proxyPrograms,
  type RunningProxy,
  startProxyProgram,
} from "../fixtures/proxy-programs";
import { type ProductEnvironment, startProductServer } from "../fixtures/server";
import { expect, ownServerTest } from "../fixtures/test";
import { allowFirstEdit, allowTestsAlways, finishMainJob, mainJobPrompt } from "../pages/main-job";
import { WorkbenchPageObject } from "../pages/workbench-page";

type Road = Parameters<typeof startFrontProxy>[0] & {
  /** With its file of `deploy` and https; absent = a proxy of the tests. */
  readonly program?: ProxyProgram;
};

const prefix = "/user/x@example.org";

/** The proxy starts when the port of the product is known. */
async function prepareProgram(
  program: ProxyProgram,
  strips: boolean,
  { root }: ProductEnvironment,
): Promise<FrontProxy> {
  const port = await freePort();
  const folder = mkdtempSync(join(root, "proxy-"));
  const certificate = makeCertificate(root, "site");
  let proxy: RunningProxy | undefined;
  return {
    origin: `https://localhost:${port}`,
    async connect(upstream) {
      proxy = await startProxyProgram({ program, folder, port, prefix, strips, certificate, upstream });
    },
    close: async () => proxy?.close(),
  };
}

const test = ownServerTest.extend<{ readonly road: Road; readonly frontDoor: FrontProxy }>({
  road: [{ prefix, strips: false, hostOf: "browser" }, { option: true }],
  // The sign-in link is for the page's own address.
  page: async ({ context }, use) => use(await context.newPage()),
  frontDoor: async ({ road, place }, use) => {
    const { program, strips } = road;
    const proxy = program === undefined ? await startFrontProxy(road) : await prepareProgram(program, strips, place);
    await use(proxy);
    await proxy.close();
  },
  server: async ({ place, frontDoor }, use) => {
    await plantMimeProject(place.project);
    const server = await startProductServer(place, ["--public-url", `${frontDoor.origin}${prefix}/`]);
    await frontDoor.connect(server.port);
    await use(server);
    await server.kill("SIGTERM");
  },
});

function testRoad(title: string, road: Omit<Road, "prefix">, details: TestDetails): void {
  test.describe(title, () => {
    test.use({ road: { prefix, ...road } });
    test(
      "main job, links, reload, a file, a download",
      details,
      async ({ page, context, model, frontDoor, server }) => {
        model.setScript({ turns: mainJobTurns });
        const requests: string[] = [];
        page.on("request", (request) => requests.push(request.url()));
        page.on("websocket", (socket) => requests.push(socket.url()));
        const address = `${frontDoor.origin}${prefix}`;
        expect(server.url).toContain(`${address}/#token=`);
        const bench = new WorkbenchPageObject(page);
        await bench.open(server.url);
        const { session } = bench;
        await test.step("the main job", async () => {
          await bench.begin(mainJobPrompt);
          await allowFirstEdit(session);
          await allowTestsAlways(session);
          await finishMainJob(session);
          await expect(page).toHaveURL(new RegExp(`^${address}/s/\\w+$`));
        });
        await test.step("links, Back, and a reload", async () => {
          await page.getByRole("link", { name: "All sessions" }).click();
          await expect(page).toHaveURL(`${address}/history`);
          await page.goBack();
          await page.reload();
          await expect(session.conversation.getByText(mimeFix.answer)).toBeVisible();
        });
        await test.step("a file in the editor and a download", async () => {
          await page.getByRole("button", { name: "Files" }).first().click();
          const row = page.locator(`[role=treeitem][data-path="${mimeFix.file}"]`);
          await row.dblclick();
          await expect(page.locator(".cm-content").first()).toContainText("Mime");
          await row.click({ button: "right" });
          const download = page.waitForEvent("download");
          await page.getByRole("menuitem", { name: "Download", exact: true }).click();
          expect(await (await download).failure()).toBeNull();
        });
        const isOutside = (url: string): boolean =>
          /^(?:http|ws)/.test(url) && !new URL(url).pathname.startsWith(`${prefix}/`);
        expect(requests.filter(isOutside)).toEqual([]);
        expect(requests.some((url) => url.startsWith("ws"))).toBe(true);
        expect((await context.cookies()).map(({ path }) => path)).toEqual([`${prefix}/`]);
      },
    );
  });
}

testRoad("a proxy that leaves path and Host", { strips: false, hostOf: "browser" }, {});
testRoad("a proxy that removes the path and replaces the Host", { strips: true, hostOf: "product" }, onlyInFull);
test.describe("with the files of deploy, over https", () => {
  test.use({ ignoreHTTPSErrors: true });
  for (const program of proxyPrograms) {
    test.skip(({ road }) => road.program === program && missingProgram(program, "-v") !== null, `without ${program}`);
    testRoad(program, { program, strips: program === "haproxy", hostOf: "browser" }, onlyInFull);
  }
});

const plainTest = ownServerTest.extend({ page: async ({ context }, use) => use(await context.newPage()) });

plainTest("a proxy that was not named: the page says which option allows it", async ({ page, server }) => {
  const proxy = await startFrontProxy({ prefix: "", strips: false, hostOf: "product" });
  await proxy.connect(server.port);
  await page.goto(`${proxy.origin}/${new URL(server.url).hash}`);
  await expect(page.getByRole("main").getByRole("alert")).toContainText(`start it with --public-url ${proxy.origin}/`);
  await page.goto(`${proxy.origin}/history`);
  await expect(page.getByRole("heading", { name: "Sign in to gopi-web" })).toBeVisible();
  await proxy.close();
});
