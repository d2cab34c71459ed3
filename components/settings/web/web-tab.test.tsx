// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId, type RuleId } from "@/lib/events/id";
import type { Rule } from "@/lib/permissions/policy";
import { type WebProviderState, webProviderIds, type WebState } from "@/lib/tools/web";
import type { Project } from "@/lib/workspace/project";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { WebTab } from "./web-tab";

const project: Project = { id: asId<ProjectId>("p1"), path: "/work/shop", name: "shop", openedAt: 1 };

const provider = (id: WebProviderState["id"], more: Partial<WebProviderState> = {}): WebProviderState => ({
  id,
  isEnabled: false,
  needs: id === "searxng" ? "address" : id === "duckduckgo" ? "nothing" : "key",
  hasKey: false,
  address: "",
  host: "",
  ...more,
});

const stateOf = (changed: readonly WebProviderState[] = [], isEnabled = false): WebState => ({
  isEnabled,
  providers: webProviderIds.map((id) => changed.find((one) => one.id === id) ?? provider(id)),
});

interface Answers {
  readonly state: WebState;
  readonly change?: unknown;
  readonly test?: unknown;
  readonly rules?: readonly Rule[];
}

async function openTab({ state, change, test: tested, rules = [] }: Answers) {
  const server = await connectClient((name) => {
    if (name === "web.state") return { ok: true, value: state };
    if (name === "web.test") return tested;
    if (name === "rules.list") return { ok: true, value: { rules } };
    return name.startsWith("web.") ? (change ?? { ok: true, value: state }) : undefined;
  });
  const user = await renderForUser(server.client, <WebTab projects={[project]} />);
  return { server, user };
}

const rowOf = async (name: string): Promise<HTMLElement> => {
  const list = await screen.findByRole("list", { name: "Search engines" });
  const row = within(list)
    .getAllByRole("listitem")
    .find((item) => within(item).queryByText(name) !== null);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
};

test("the switch turns the web on, and says what leaves the machine", async () => {
  const { server, user } = await openTab({ state: stateOf(), change: { ok: true, value: stateOf([], true) } });
  const toggle = await screen.findByRole("switch", { name: "Let models use the web" });
  expect(toggle.getAttribute("aria-checked")).toBe("false");
  await user.click(toggle);
  await expect.poll(() => server.inputsOf("web.set")).toEqual([{ isEnabled: true }]);
  await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("true");
  expect(screen.getByText("No search engine is ready, so models can read pages but not search.")).toBeDefined();
  expect(within(await rowOf("Bocha")).getByText("The words and your key go to Bocha in China.")).toBeDefined();
});

test("an engine is enabled and moved in the order", async () => {
  const { server, user } = await openTab({ state: stateOf() });
  await user.click(within(await rowOf("Tavily")).getByRole("switch", { name: "Use Tavily" }));
  await user.click(screen.getByRole("button", { name: "Move Tavily up" }));
  await user.click(screen.getByRole("button", { name: "Move SearXNG up" }));
  await expect.poll(() => server.inputsOf("web.set")).toHaveLength(2);
  const [enabled, moved] = server.inputsOf("web.set");
  expect(enabled).toMatchObject({ providers: webProviderIds.map((id) => ({ id, isEnabled: id === "tavily" })) });
  expect(moved).toMatchObject({
    providers: ["searxng", "tavily", "brave", "bocha", "duckduckgo"].map((id) => ({ id })),
  });
});

test("a key is stored and never shown; without it the row says that it is needed", async () => {
  const needsKey = stateOf([provider("brave", { isEnabled: true })]);
  const { server, user } = await openTab({
    state: needsKey,
    change: { ok: true, value: stateOf([provider("brave", { isEnabled: true, hasKey: true })]) },
  });
  const row = await rowOf("Brave Search");
  expect(within(row).getByText("Needs an API key")).toBeDefined();
  await user.type(within(row).getByLabelText("API key of Brave Search"), " secret ");
  await user.click(within(row).getByRole("button", { name: "Save" }));
  await expect.poll(() => server.inputsOf("web.set_key")).toEqual([{ provider: "brave", key: "secret" }]);
  expect(await within(row).findByText("A key is stored in the key file. Models never see it.")).toBeDefined();
  expect(within(row).queryByText("Needs an API key")).toBeNull();
  await user.click(within(row).getByRole("button", { name: "Remove key" }));
  await expect.poll(() => server.inputsOf("web.set_key").at(-1)).toEqual({ provider: "brave", key: "" });
});

test("an address that is none stays in the field, with the reason", async () => {
  const { server, user } = await openTab({ state: stateOf(), change: { ok: false, error: { code: "bad_input" } } });
  const row = await rowOf("SearXNG");
  const field = within(row).getByLabelText<HTMLInputElement>("Address of SearXNG");
  await user.type(field, "ftp://search.lan");
  await user.click(within(row).getByRole("button", { name: "Save" }));
  await expect.poll(() => server.inputsOf("web.set")).toEqual([{ searxngAddress: "ftp://search.lan" }]);
  expect(field.value).toBe("ftp://search.lan");
  await expect
    .poll(() => server.client.toasts.get().map(({ text }) => text))
    .toEqual(["Enter an http or https address, without a name or password."]);
});

test("an address that is not saved cannot be tested", async () => {
  const address = "http://search.lan";
  const searxng = { ...provider("searxng"), needs: "address", address } as const;
  const { user } = await openTab({ state: stateOf([searxng]) });
  const row = within(await rowOf("SearXNG"));
  const isDisabled = () => row.getByRole<HTMLButtonElement>("button", { name: "Test SearXNG" }).disabled;
  expect(isDisabled()).toBe(false);
  await user.type(row.getByLabelText("Address of SearXNG"), ":9");
  expect(isDisabled()).toBe(true);
  await user.type(row.getByLabelText("Address of SearXNG"), "{Backspace}{Backspace}");
  expect(isDisabled()).toBe(false);
});

test.each([
  [{ ok: true, value: { ok: true, hits: 5, ms: 1_200 } }, "Works: 5 results in 1.2 s."],
  [
    {
      ok: true,
      value: { ok: false, failure: { provider: "duckduckgo", reason: "blocked", host: "h", detail: "202" } },
    },
    "DuckDuckGo blocked the search. Wait some minutes, or put another engine first.",
  ],
])("a test shows how it went: %#", async (tested, sentence) => {
  const { user } = await openTab({ state: stateOf(), test: tested });
  const row = await rowOf("DuckDuckGo");
  await user.click(within(row).getByRole("button", { name: "Test DuckDuckGo" }));
  expect(await within(row).findByText(sentence)).toBeDefined();
  expect(within(await rowOf("Brave Search")).getByRole("button", { name: "Test Brave Search" })).toHaveProperty(
    "disabled",
    true,
  );
});

test("the hosts of rules are listed with their project", async () => {
  const rule: Rule = {
    id: asId<RuleId>("r1"),
    projectId: project.id,
    effect: "allow",
    createdAt: 1,
    tool: "net",
    host: "docs.python.org",
  };
  const command: Rule = { ...rule, id: asId<RuleId>("r2"), tool: "bash", words: ["ls"], rest: true };
  await openTab({ state: stateOf(), rules: [rule, command] });
  const list = await screen.findByRole("list", { name: "Hosts with a rule" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["Alloweddocs.python.orgshop"]);
  expect(screen.getByRole("link", { name: "Rules in Permissions" }).getAttribute("href")).toBe(
    "/settings/permissions#rules",
  );
});

test("two engines that are switched on before the first change is answered are both on", async () => {
  const { server, user } = await openTab({ state: stateOf(), change: new Promise(() => {}) });
  const list = await screen.findByRole("list", { name: "Search engines" });
  const [first, second] = within(list).getAllByRole("switch");
  if (first === undefined || second === undefined) throw new Error("Fewer than two engines.");
  await user.click(first);
  await user.click(second);
  const [one = "", two = ""] = webProviderIds;
  await expect
    .poll(() => server.inputsOf("web.set").at(-1))
    .toMatchObject({
      providers: webProviderIds.map((id) => ({ id, isEnabled: id === one || id === two })),
    });
});
