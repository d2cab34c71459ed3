/** A network that lets no WebSocket through, as some proxies do: the page is connected by requests. */
import { expect, test } from "../pages/mime-stage";

test("a page that cannot open a WebSocket is connected by requests, sends a message and gets the answer", async ({
  page,
  bench,
  model,
}) => {
  model.setScript({ turns: [{ text: "By requests." }] });
  const polled = page.waitForResponse((answer) => answer.url().includes("transport=polling") && answer.ok());
  await page.addInitScript(() => {
    // A handshake that fails: an error, then the end.
    window.WebSocket = class extends WebSocket {
      constructor(address: string | URL) {
        super(new URL("/no-socket", address));
      }
    };
  });
  await page.reload();
  await bench.expectOnline();
  await bench.begin("How are you connected?");
  await expect(bench.session.conversation.getByText("By requests.")).toBeVisible();
  await polled;
});
