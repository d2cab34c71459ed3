/** The product behind caddy with a sign-in service, as `deploy/team.Caddyfile` has it: the proxy signs in the person it belongs to. */
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../bench/server/bench-product";
import { onlyInFull } from "../fixtures/full-run";
import { caddyOptions, deployFolder, missingProgram, runProxy } from "../fixtures/proxy-programs";
import { startProductServer } from "../fixtures/server";
import { type TestSignInService, startSignInService } from "../fixtures/sign-in-service";
import { expect, ownServerTest } from "../fixtures/test";
import { WorkbenchPageObject } from "../pages/workbench-page";

interface TeamSite {
  readonly origin: string;
  readonly service: TestSignInService;
}

const emailHeader = "X-Auth-Request-Email";

const test = ownServerTest.extend<{ readonly site: TeamSite }>({
  ignoreHTTPSErrors: true,
  page: async ({ context }, use) => use(await context.newPage()),
  site: async ({ place }, use) => {
    const port = await freePort();
    const service = await startSignInService(["alice", "bob", "nameless"]);
    const folder = mkdtempSync(join(place.root, "proxy-"));
    mkdirSync(join(place.root, "sockets/alice"), { recursive: true, mode: 0o700 });
    const environment = {
      GOPI_DOMAIN: `localhost:${port}`,
      GOPI_SIGN_IN: `127.0.0.1:${service.port}`,
      GOPI_SOCKETS: join(place.root, "sockets"),
    };
    const text = caddyOptions(folder) + readFileSync(join(deployFolder, "team.Caddyfile"), "utf8");
    const site = { program: "caddy", folder, port, host: "alice.localhost", isEncrypted: true, environment } as const;
    const proxy = await runProxy(site, text);
    await use({ origin: `https://alice.localhost:${port}`, service });
    await proxy.close();
    await service.close();
  },
  server: async ({ place, site }, use) => {
    const server = await startProductServer(place, [
      ...["--public-url", site.origin, "--socket", join(place.root, "sockets/alice/gopi.sock")],
      ...["--proxy-user", `${emailHeader}=alice@example.org`],
    ]);
    await use(server);
    await server.kill("SIGTERM");
  },
});

test.skip(missingProgram("caddy") !== null, "caddy is not installed");

test(
  "the sign-in of the proxy opens the page of its person, and ends it",
  onlyInFull,
  async ({ page, site, server, model }) => {
    model.setScript({ turns: [{ text: "Hello, Alice." }] });
    const requests: string[] = [];
    page.on("websocket", (socket) => requests.push(socket.url()));
    await test.step("without a sign-in, the page of the service", async () => {
      await page.goto(`${site.origin}/history`);
      await expect(page.getByRole("heading", { name: "Who are you?" })).toBeVisible();
    });
    await test.step("with it, gopi-web without another word, at the page that was asked for", async () => {
      await page.getByRole("button", { name: "alice" }).click();
      await expect(page).toHaveURL(`${site.origin}/history`);
      await expect(page.getByRole("heading", { name: "All sessions" })).toBeVisible();
      const bench = new WorkbenchPageObject(page);
      await page.goto(`${site.origin}/`);
      await bench.begin("Say hello");
      await expect(bench.session.conversation.getByText("Hello, Alice.")).toBeVisible();
      expect(requests.length).toBeGreaterThan(0);
    });
    await test.step("a sign-in that has ended leads an open page to the service, and back", async () => {
      const address = page.url();
      site.service.signAllOut();
      await server.restart();
      await expect(page.getByRole("heading", { name: "Who are you?" })).toBeVisible();
      await page.getByRole("button", { name: "alice" }).click();
      await expect(page).toHaveURL(address);
      await expect(page.getByText("Hello, Alice.").first()).toBeVisible();
    });
  },
);

test(
  "another person is refused, with any header and any answer of the service",
  onlyInFull,
  async ({ page, site, server }) => {
    await page.setExtraHTTPHeaders({ [emailHeader]: "alice@example.org" });
    const signInAs = async (name: string) => {
      await page.context().clearCookies();
      await page.goto(site.origin);
      await page.getByRole("button", { name }).click();
    };
    await signInAs("bob");
    await expect(page.getByText("This address belongs to alice@example.org.")).toBeVisible();
    site.service.faulty.add("bob").add("nameless");
    await page.reload();
    await expect(page.getByText("This gopi-web belongs to alice@example.org.")).toBeVisible();
    await signInAs("nameless");
    await expect(page.getByText("This gopi-web belongs to alice@example.org.")).toBeVisible();
    expect(server.stderr).toContain('x-auth-request-email has "bob@example.org" instead of "alice@example.org"');
    // Some versions of caddy send a placeholder for a missing header.
    expect(server.stderr).toMatch(/x-auth-request-email has (?:no value|"\{http)/);
  },
);
