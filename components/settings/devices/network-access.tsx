"use client";
/** Addresses the server listens on, the risk, and the button that closes network access. */
import type { NetworkState } from "@/lib/protocol/share";
import { withBasePath } from "../../state/base-path";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { CopyButton } from "../../ui/controls/copy-button";
import { useSharingMessages } from "../../messages/sharing-messages";
import { useMessages } from "../../messages/messages";
import { SettingGroup } from "../fields/setting-row";
import { ChangeError } from "../item-section/change-error";
import { useChange } from "../../state/use-change";

const startCommand = "npm start -- --host 0.0.0.0";
/** Whether the page was opened on the server's own machine: only it uses these host names. */
const isServerMachine = (): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
const currentPort = (): string => (typeof location === "undefined" || location.port === "" ? "80" : location.port);

export function NetworkAccess() {
  const { devices: text } = useSharingMessages();
  const network = useServerState("network");
  if (network === undefined) return null;
  const { frontDoor, owner, machine, shares } = network;
  const isOpen = owner.length > 0;
  const [address = "this-machine"] = isOpen ? owner : machine;
  const port = currentPort();
  return (
    <SettingGroup title={text.reach}>
      {frontDoor !== undefined && <FrontDoorAccess frontDoor={frontDoor} />}
      {(isOpen || frontDoor === undefined) && (
        <div className="py-4">
          <p data-reach={isOpen ? "network" : "here"} className="font-medium">
            {isOpen ? text.open : text.here}
          </p>
          <p className="max-w-[64ch] text-ink-muted">{isOpen ? text.openNote : text.hereNote}</p>
          {isOpen && (
            <>
              <AddressList addresses={owner} />
              {network.isEncrypted !== true && (
                <p className="mt-3 max-w-[64ch] rounded-card bg-ask-soft px-3 py-2">{text.risk}</p>
              )}
              <CloseNetworkButton />
            </>
          )}
          {shares.length > 0 && <p className="mt-2 text-ink-muted">{text.sharesAt(shares.join(", "))}</p>}
        </div>
      )}
      {!isOpen && frontDoor === undefined && (
        <div className="py-4">
          <p className="font-medium">{text.howTo}</p>
          <CopyableCommand text={startCommand} />
        </div>
      )}
      {frontDoor === undefined && (
        <div className="py-4">
          <p className="font-medium">{text.safer}</p>
          <CopyableCommand text={`ssh -L ${port}:localhost:${port} ${addressHost(address)}`} />
          <p className="mt-1 text-ink-muted">{text.saferNote(port)}</p>
        </div>
      )}
    </SettingGroup>
  );
}

function FrontDoorAccess({ frontDoor }: { readonly frontDoor: NonNullable<NetworkState["frontDoor"]> }) {
  const { devices: text } = useSharingMessages();
  return (
    <div className="py-4">
      <p data-reach="front-door" className="font-medium">
        {text.published}
      </p>
      <p className="max-w-[64ch] text-ink-muted">{frontDoor.signsIn ? text.signsInNote : text.publishedNote}</p>
      <AddressList
        addresses={frontDoor.addresses.length > 0 ? frontDoor.addresses : [location.origin + withBasePath("/")]}
      />
    </div>
  );
}

function AddressList({ addresses }: { readonly addresses: readonly string[] }) {
  return (
    <ul className="mt-2 grid gap-0.5">
      {addresses.map((one) => (
        <li key={one} className="font-mono text-code break-all">
          {one}
        </li>
      ))}
    </ul>
  );
}

/** Removes scheme and port from an address. */
const addressHost = (address: string): string => address.replace(/^https?:\/\//, "").replace(/:\d+\/?$/, "");

function CloseNetworkButton() {
  const { devices: text } = useSharingMessages();
  const { isBusy, error, perform } = useChange("inline");
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button look="danger" busy={isBusy} onClick={() => void perform("network.close", {})}>
        {text.close}
      </Button>
      <span className="text-small text-ink-muted">{isServerMachine() ? text.closeNote : text.closeSelf}</span>
      <ChangeError error={error} className="w-full" />
    </div>
  );
}

function CopyableCommand({ text }: { readonly text: string }) {
  const { common } = useMessages();
  return (
    <div className="mt-1.5 flex max-w-[34rem] items-center gap-2 rounded-card border border-line bg-raised py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 overflow-x-auto text-code whitespace-nowrap">{text}</code>
      <CopyButton text={() => text} name={common.copy} doneName={common.copied} />
    </div>
  );
}
