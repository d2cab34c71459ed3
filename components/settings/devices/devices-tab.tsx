"use client";
/** Devices tab: listen addresses, a sign-in link for another device, and the signed-in browsers. */
import { DeviceList } from "./device-list";
import { NetworkAccess } from "./network-access";
import { useState } from "react";
import type { AddressLink } from "@/lib/protocol/share";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { LinkBox } from "../../ui/controls/link-box";
import { useSharingMessages } from "../../messages/sharing-messages";
import { SettingGroup } from "../fields/setting-row";
import { ChangeError } from "../item-section/change-error";
import { useChange } from "../../state/use-change";

/**
 * One-time link that signs in another browser of the owner. Shown while the server listens on the network or a proxy
 * publishes it.
 */
function DeviceLink() {
  const { devices: text } = useSharingMessages();
  const network = useServerState("network");
  const [links, setLinks] = useState<readonly AddressLink[]>([]);
  const { isBusy, error, perform } = useChange("inline");
  if (network === undefined || (network.owner.length === 0 && network.frontDoor?.signsIn !== false)) return null;
  const make = async (): Promise<void> => setLinks((await perform("devices.link", {}))?.links ?? []);
  return (
    <SettingGroup title={text.link}>
      <div className="grid gap-3 py-4">
        <p className="max-w-[64ch] text-ink-muted">{text.linkNote}</p>
        {links.length > 0 && <LinkBox key={links[0]?.url} links={links} />}
        <Button
          className="w-fit"
          look={links.length === 0 ? "primary" : "plain"}
          busy={isBusy}
          onClick={() => void make()}
        >
          {links.length === 0 ? text.makeLink : text.anotherLink}
        </Button>
        <ChangeError error={error} />
      </div>
    </SettingGroup>
  );
}

export function DevicesTab() {
  return (
    <>
      <NetworkAccess />
      <DeviceLink />
      <DeviceList />
    </>
  );
}
