// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AgentError } from "@/lib/events/error";
import { asId, type Hash } from "@/lib/events/id";
import type { ApiToolRow, ApiToolStatus, ApiToolView, ApiView } from "@/lib/tools/openapi";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { apiErrorText } from "./api-error-text";
import { ApiPage } from "./api-page";

const shop: ApiView = {
  id: "shop",
  title: "Shop API",
  version: "1",
  format: "OpenAPI 3.1.0",
  origin: { kind: "url", url: "https://shop.example/openapi.json" },
  loadedAt: 0,
  address: "https://shop.example",
  addresses: ["https://shop.example"],
  isConfirmed: true,
  isPrivate: false,
  isEnabled: true,
  counts: { operations: 1, tools: 1, ready: 0, waiting: 1 },
  skipped: [],
  schemes: [],
};

const row = (status: ApiToolStatus): ApiToolRow => ({
  name: "listItems",
  method: "GET",
  path: "/items",
  about: "Lists.",
  status,
  isPinned: false,
  tokens: 10,
});
const view: ApiToolView = {
  ...row("new"),
  callName: "shop__listItems",
  definition: { description: "Lists.", parameters: {} },
  parameters: {},
  hash: asId<Hash>("1"),
};

async function openPage(tools: readonly ApiToolRow[], reload?: AgentError) {
  const { client } = await connectClient((name) => {
    if (name === "openapi.tools") return { ok: true, value: { tools, total: tools.length } };
    if (name === "openapi.tool") return { ok: true, value: view };
    if (name === "openapi.reload" && reload !== undefined) return { ok: false, error: reload };
    return undefined;
  });
  return { client, user: await renderForUser(client, <ApiPage api={shop} />) };
}

test("operations that all wait for an approval are not called a search without matches", async () => {
  await openPage([row("new")]);
  expect(await screen.findByText(/^These operations wait for you\. Approve them above/)).toBeDefined();
  expect(screen.queryByText("No operation matches.")).toBeNull();
});

test("an API without a usable operation says so", async () => {
  await openPage([]);
  expect(await screen.findByText(/^None of its operations can be a tool/)).toBeDefined();
});

test("a faulty description that is loaded again is not to be added again", async () => {
  const { client, user } = await openPage([row("ready")], { code: "bad_input", facts: { reason: "syntax", line: 3 } });
  await user.click(screen.getByRole("button", { name: "Load again" }));
  await expect
    .poll(() => client.toasts.get().map(({ text }) => text))
    .toEqual([
      "Neither JSON nor YAML: mistake in line 3. Correct it, and load it again. The loaded version stays in use.",
    ]);
});

test("the id with which its tools begin is beside the title", async () => {
  await openPage([row("ready")]);
  expect(screen.getByRole("heading", { name: "Shop API" })).toBeDefined();
  expect(screen.getByText("shop").title).toBe("The names of its tools begin with this.");
});

test("an address that is there already is refused with the API that has it", () => {
  const error: AgentError = { code: "exists", facts: { id: "shop2", name: "Shop API" } };
  expect(apiErrorText(error, { ...en, ...enLate })).toBe(
    "This API is already added: Shop API (shop2). Open it in the list, and use Load again there.",
  );
});
