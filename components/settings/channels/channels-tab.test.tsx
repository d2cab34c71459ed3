// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { ChannelPerson, ChannelView } from "@/lib/channels/channels";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ChannelsTab } from "./channels-tab";

const online: ChannelView = {
  kind: "telegram",
  isOn: true,
  apiAddress: "",
  token: "stored",
  connection: { kind: "online", name: "@gopi_bot" },
  people: [],
};
const ada: ChannelPerson = {
  id: "7",
  name: "Ada",
  right: "talk",
  isPaused: false,
  pairedAt: Date.UTC(2026, 10, 1),
  mode: "ask",
  waitingMessages: 0,
  waitingDeliveries: 0,
};

async function renderChannels(first: ChannelView) {
  let channel = first;
  const connected = await connectClient((name) => {
    if (name === "channels.list") return { ok: true, value: { channels: [channel] } };
    if (name === "channels.pair")
      return { ok: true, value: { link: "https://t.me/gopi_bot?start=abc", expiresAt: Date.now() + 600_000 } };
    return undefined;
  });
  const user = await renderForUser(connected.client, <ChannelsTab projects={[]} />);
  await screen.findByRole("region", { name: "Telegram" });
  const change = (next: ChannelView): void => {
    channel = next;
    connected.push({ type: "channels" });
  };
  return { ...connected, user, change };
}

beforeEach(() => {
  history.replaceState(null, "", location.pathname);
});

test("without a token a channel cannot be switched on; one that is typed is stored and not shown", async () => {
  const { user, inputsOf, change } = await renderChannels({
    ...online,
    isOn: false,
    token: "none",
    connection: { kind: "off" },
  });
  expect((await screen.findByRole("switch", { name: "Telegram" })).hasAttribute("disabled")).toBe(true);
  expect(screen.getByRole("status").textContent).toBe("It needs the token of a bot first.");
  await user.type(screen.getByLabelText("Bot token"), " 42:secret ");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(inputsOf("channels.set_token")).toEqual([{ kind: "telegram", token: "42:secret" }]);
  change({ ...online, isOn: false, connection: { kind: "off" } });
  await screen.findByRole("button", { name: "Replace" });
  expect(document.body.innerHTML).not.toContain("42:secret");
  await user.click(screen.getByRole("switch", { name: "Telegram" }));
  expect(inputsOf("channels.set")).toEqual([{ kind: "telegram", isOn: true }]);
});

test.each([
  [{ kind: "connecting" }, "Connecting…"],
  [
    {
      kind: "waiting",
      error: { code: "conflict", facts: { why: "other_program" } },
      retryAt: Date.now() + 20_000,
    },
    /^Another program receives the messages of this bot\. .* Next try in \d+ s\.$/,
  ],
  [
    { kind: "waiting", error: { code: "server_unreachable" }, retryAt: 0 },
    /^Telegram's server can't be reached\. .* Trying again…$/,
  ],
  [{ kind: "stopped", error: { code: "key_refused" } }, /^Telegram refused the token\. /],
  [{ kind: "stopped", error: { code: "internal" } }, /^Something went wrong/],
] as const)("the connection %j is a sentence with the next step", async (connection, sentence) => {
  await renderChannels({ ...online, connection });
  expect(screen.getByRole("status").textContent).toMatch(sentence);
  expect(screen.queryByRole("button", { name: "Take over this bot" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Make a link" })).toBeNull();
});

test("a bot with a webhook is taken over only by a click", async () => {
  const error = { code: "conflict", facts: { why: "webhook", host: "hooks.example" } } as const;
  const { user, inputsOf } = await renderChannels({ ...online, connection: { kind: "stopped", error } });
  expect(screen.getByRole("status").textContent).toContain("go to hooks.example");
  expect(inputsOf("channels.set")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Take over this bot" }));
  expect(inputsOf("channels.set")).toEqual([{ kind: "telegram", takesOver: true }]);
});

test("a pairing link is shown until a person has used it", async () => {
  const { user, change } = await renderChannels({ ...online, people: [{ ...ada, id: "8", name: "Eve" }] });
  await user.click(await screen.findByRole("button", { name: "Make a link" }));
  expect(await screen.findByDisplayValue("https://t.me/gopi_bot?start=abc")).toBeDefined();
  expect(screen.getByText(/^Valid for another 10 min/)).toBeDefined();
  change({ ...online, people: [{ ...ada, id: "8", name: "Eve" }, ada] });
  expect(await screen.findByText("Paired: Ada")).toBeDefined();
  expect(screen.queryByDisplayValue("https://t.me/gopi_bot?start=abc")).toBeNull();
});

test("the owner changes the right of a person, pauses and removes them", async () => {
  const { user, inputsOf } = await renderChannels({ ...online, people: [ada] });
  await user.click(await screen.findByRole("button", { name: "Ada" }));
  await user.selectOptions(await screen.findByRole("combobox", { name: "May do" }), "Talk and approve");
  await user.click(screen.getByRole("button", { name: "Pause" }));
  const person = { kind: "telegram", id: "7" };
  expect(inputsOf("channels.set_person")).toEqual([
    { ...person, right: "answer" },
    { ...person, isPaused: true },
  ]);
  await user.click(screen.getByRole("button", { name: "Remove…" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Remove" }));
  expect(inputsOf("channels.remove_person")).toEqual([person]);
});

test("a token of the environment is named, and cannot be replaced here", async () => {
  await renderChannels({ ...online, token: "environment" });
  expect(await screen.findByText(/TELEGRAM_BOT_TOKEN/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Replace" })).toBeNull();
});
