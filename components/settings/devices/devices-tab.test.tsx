// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { NetworkState } from "@/lib/protocol/share";
import { devices as text } from "../../messages/en/sharing/devices";
import { share } from "../../messages/en/sharing/share";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ShareDialog } from "../../share/share-dialog";
import { asId, type SessionId } from "@/lib/events/id";
import { DevicesTab } from "./devices-tab";

const address = "https://ide.example.org/alice/";
const behind = (signsIn: boolean, owner: readonly string[]): NetworkState => ({
  owner,
  shares: [],
  machine: [],
  frontDoor: { addresses: [address], signsIn },
});

async function connectBehind(signsIn: boolean, owner: readonly string[] = []) {
  const { client } = await connectClient((name) =>
    name === "devices.list" ? { ok: true, value: { devices: [] } } : undefined,
  );
  client.serverState.merge({ network: behind(signsIn, owner), shares: [] });
  return client;
}

test("behind a proxy a link signs another browser in", async () => {
  await renderForUser(await connectBehind(false), <DevicesTab />);
  await screen.findByText(address);
  expect(screen.getByText(text.publishedNote)).toBeDefined();
  expect(screen.queryByText(text.howTo)).toBeNull();
  expect(screen.getByRole("button", { name: text.makeLink })).toBeDefined();
});

test("a proxy hides nothing of a server that also listens on the network", async () => {
  const own = "http://192.0.2.7:4674/";
  await renderForUser(await connectBehind(false, [own]), <DevicesTab />);
  await screen.findByText(address);
  expect(screen.getByText(own)).toBeDefined();
  expect(screen.getByText(text.risk)).toBeDefined();
  expect(screen.getByRole("button", { name: text.close })).toBeDefined();
});

test("behind a front door that signs in there are no links, for devices and for viewers", async () => {
  const client = await connectBehind(true);
  await renderForUser(client, <DevicesTab />);
  await screen.findByText(text.signsInNote);
  expect(screen.queryByRole("button", { name: text.makeLink })).toBeNull();
  await renderForUser(client, <ShareDialog sessionId={asId<SessionId>("s1")} onShow={() => {}} onClose={() => {}} />);
  await screen.findByText(share.onlyYou);
  expect(screen.queryByRole("button", { name: share.create })).toBeNull();
});
