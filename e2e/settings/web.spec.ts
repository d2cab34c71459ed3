/** The web for models: settings, a search with a stand-in for SearXNG, cards and the rule of a host. */
import { createServer, type Server } from "node:http";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

/** Starts a search server as SearXNG is one; its first answers are what it gives with JSON off. */
async function serveSearxng(queries: string[]): Promise<{ readonly server: Server; readonly address: string }> {
  const server = createServer(({ url = "" }, response) => {
    const query = new URL(url, "http://searxng").searchParams.get("q") ?? "";
    queries.push(query);
    if (queries.length === 1) return response.writeHead(403).end("Forbidden");
    const results = ["guide", "api"].map((page) => ({
      title: `The ${page} of ${query}`,
      url: `https://docs.example.com/${page}`,
      content: `Everything about ${query}.`,
    }));
    return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, address: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}` };
}

const call = (tool: string, input: object) => ({
  text: "",
  toolCalls: [{ name: "toolbox", arguments: { tool, input } }],
});
const page = `https://docs.example.com/find?from=gopi&q=${"abcdefghij".repeat(12)}`;

async function send(on: Page, name: string, text: string): Promise<void> {
  const field = on.getByRole("textbox", { name });
  await field.fill(text);
  await field.press("Enter");
}

test.describe("in a conversation", () => {
  test.use({
    script: {
      turns: [
        call("web_search", { query: "foxes" }),
        { text: "Found." },
        call("web_search", { query: "cubs" }),
        { text: "Found again." },
        call("web_fetch", { url: page }),
        { text: "Not read." },
        call("web_fetch", { url: "http://127.0.0.1:1/" }),
        { text: "Not public." },
      ],
    },
  });

  test("the web is switched on, an engine is set up and tested, a search asks once", async ({ page: on, server }) => {
    const queries: string[] = [];
    const searxng = await serveSearxng(queries);
    try {
      await on.goto(`${server.origin}/settings/web`);
      const toggle = on.getByRole("switch", { name: "Let models use the web" });
      await expect(toggle).not.toBeChecked();
      await toggle.click();
      await expect(toggle).toBeChecked();
      const row = on.getByRole("listitem").filter({ hasText: "SearXNG" });
      await row.getByLabel("Address of SearXNG").fill(searxng.address);
      await row.getByRole("button", { name: "Save" }).click();
      await row.getByRole("button", { name: "Test SearXNG" }).click();
      await expect(row.getByRole("status")).toContainText("SearXNG gives no JSON.");
      await row.getByRole("button", { name: "Test SearXNG" }).click();
      await expect(row.getByRole("status")).toContainText("Works: 2 results");
      await expect(row.getByRole("switch", { name: "Use SearXNG" })).toBeChecked();
      const duckduckgo = on.getByRole("switch", { name: "Use DuckDuckGo" });
      await duckduckgo.click();
      await expect(duckduckgo).not.toBeChecked();
      const brave = on.getByRole("listitem").filter({ hasText: "Brave Search" });
      await brave.getByRole("button", { name: "Move Brave Search up" }).click();
      await expect(on.getByRole("list", { name: "Search engines" }).getByRole("listitem").first()).toContainText(
        "Brave",
      );
      await brave.getByLabel("API key of Brave Search").fill("brave-key-123456");
      await brave.getByRole("button", { name: "Save" }).click();
      await expect(brave.getByText("A key is stored in the key file.")).toBeVisible();
      const usesBrave = brave.getByRole("switch", { name: "Use Brave Search" });
      await expect(usesBrave).toBeChecked();
      await usesBrave.click();
      await expect(usesBrave).not.toBeChecked();
      expect(await findViolations(on)).toEqual([]);
      await on.reload();
      await expect(toggle).toBeChecked();
      await expect(row.getByLabel("Address of SearXNG")).toHaveValue(searxng.address);

      await on.goto(`${server.origin}/`);
      await send(on, "Message", "Search for foxes.");
      const card = on.locator("[data-approval]");
      await expect(card).toContainText("First request to this host");
      await expect(card).toContainText("foxes");
      await expect(card).toContainText("127.0.0.1");
      await card.getByRole("button", { name: /^Always allow 127\.0\.0\.1/ }).click();
      await expect(on.getByText("Found.", { exact: true })).toBeVisible();
      const line = on.getByRole("button", { name: /web_search/ });
      await line.click();
      await expect(on.getByText(/\[from SearXNG\]\s*1\. The guide of foxes/)).toBeVisible();
      await send(on, "Message", "Search for cubs.");
      await expect(on.getByText("Found again.", { exact: true })).toBeVisible();
      expect(queries.slice(2)).toEqual(["foxes", "cubs"]);

      await send(on, "Message", "Read the page.");
      await expect(card.locator("[data-address]")).toHaveText(page);
      await expect(card).toContainText("Long address that only the model wrote");
      await expect(card.getByRole("button", { name: /^Always allow/ })).toHaveCount(0);
      await card.getByRole("button", { name: /^Deny/ }).first().click();
      await expect(on.getByText("Not read.", { exact: true })).toBeVisible();

      // A host that is not public is refused without a question.
      await send(on, "Message", "Read this machine.");
      await expect(on.getByText("Not public.", { exact: true })).toBeVisible();
      await expect(on.getByText("127.0.0.1 isn't on the public web. Pages of this machine")).toBeVisible();

      await on.goto(`${server.origin}/settings/web`);
      await expect(on.getByRole("list", { name: "Hosts with a rule" })).toContainText("127.0.0.1");
    } finally {
      searxng.server.close();
    }
  });
});

test.describe("in Chinese", onlyInFull, () => {
  test.use({
    locale: "zh-CN",
    script: { turns: [call("web_fetch", { url: "https://docs.example.com/guide" }), { text: "Read." }] },
  });

  test("the page and the card are in Chinese", async ({ page: on, server }) => {
    await on.goto(`${server.origin}/settings/web`);
    await on.getByRole("switch", { name: "允许模型联网" }).click();
    await expect(on.getByText("搜索词和你的密钥发送到中国的博查。")).toBeVisible();
    await expect(on.getByRole("switch", { name: "允许模型联网" })).toBeChecked();
    await on.goto(`${server.origin}/`);
    await send(on, "消息", "读取网页");
    const card = on.locator("[data-approval]");
    await expect(card).toContainText("首次请求此主机");
    await expect(card.locator("[data-address]")).toHaveText("https://docs.example.com/guide");
  });
});
