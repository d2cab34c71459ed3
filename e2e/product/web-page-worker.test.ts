// The worker of the built program, which is a file of its own.
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

test("the worker of the built program makes Markdown of a page", async () => {
  const html = `<title>Foxes</title><nav>Menu</nav><article><p>${"Foxes are small. ".repeat(40)}<a href="/b">More</a></p></article>`;
  const workerData = { bytes: Buffer.from(html), type: "text/html", url: "https://docs.example.com/a" };
  const worker = new Worker(join(process.cwd(), "dist/server/page-worker.js"), { workerData, env: {} });
  const [message] = await once(worker, "message");
  expect(message).toMatchObject({
    title: "Foxes",
    text: expect.stringContaining("[More](https://docs.example.com/b)"),
  });
});
