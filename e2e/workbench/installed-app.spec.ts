/** The page as an installed application: its manifest, and the page that is shown while the server cannot be reached. */
import { expect, ownServerTest } from "../pages/mime-stage";

// A page of a context that is used again keeps its worker.
ownServerTest.use({ serviceWorkers: "allow", reuseContext: false });

ownServerTest(
  "the page can be installed, and says so when the server is gone, without storing anything",
  async ({ bench, page, server }) => {
    await bench.expectOnline();
    const address = await page.locator("link[rel=manifest]").getAttribute("href");
    const manifest = await (await page.request.get(new URL(address ?? "", page.url()).href)).json();
    expect(manifest).toMatchObject({ display: "standalone", start_url: "." });
    for (const { src, type } of manifest.icons) {
      const icon = await page.request.get(new URL(src, new URL("/manifest.webmanifest", page.url())).href);
      expect(icon.headers()["content-type"]).toBe(type);
    }
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await bench.expectOnline();
    // The worker does not stand between the page and the browser's cache: the server only confirms the page.
    const transferred = () => performance.getEntriesByType("navigation").map((entry) => entry.toJSON().transferSize);
    expect((await page.evaluate(transferred))[0]).toBeLessThan(1_000);
    await server.stop();
    await page.goto(`${server.origin}/history`);
    await expect(page.getByRole("heading")).toHaveText("gopi-web can't be reached");
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
  },
);

ownServerTest(
  "a push message shows one sentence and the session that a click opens",
  async ({ bench, context, page, server }) => {
    await context.grantPermissions(["notifications"], { origin: server.origin });
    await bench.expectOnline();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const browser = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      browser.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        for (const { registrationId, scopeURL } of registrations)
          if (scopeURL === `${server.origin}/`) resolve(registrationId);
      }),
    );
    await browser.send("ServiceWorker.enable");
    const data = JSON.stringify({ session: "s_1", title: "Secret title" });
    await browser.send("ServiceWorker.deliverPushMessage", {
      origin: server.origin,
      registrationId: await registered,
      data,
    });
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        return (await registration.getNotifications()).map(({ body, data: { address } }) => ({ body, address }));
      });
    await expect.poll(shown).toEqual([{ body: "A session needs you", address: `${server.origin}/s/s_1` }]);
  },
);
