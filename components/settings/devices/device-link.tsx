"use client";
/** One-time link that signs in another browser of the owner. Shown while the server listens on the network or a proxy publishes it. */
import { useState } from "react";
import type { AddressLink } from "@/lib/protocol/share";
import { useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { LinkBox } from "../../ui/controls/link-box";
import { useSharingMessages } from "../../messages/sharing-messages";
import { useMessages } from "../../messages/messages";
import { SettingGroup } from "../fields/setting-row";

export function DeviceLink() {
  const messages = useMessages();
  const { devices: text } = useSharingMessages();
  const { call } = useClient();
  const network = useServerState("network");
  const [links, setLinks] = useState<readonly AddressLink[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (network === undefined || (network.owner.length === 0 && network.frontDoor?.signsIn !== false)) return null;
  const make = async (): Promise<void> => {
    setBusy(true);
    const answer = await call("devices.link", {});
    setBusy(false);
    setLinks(answer.ok ? answer.value.links : []);
    setProblem(answer.ok ? null : messages.errors.sentences[answer.error.code]);
  };
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
        {problem !== null && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
      </div>
    </SettingGroup>
  );
}
