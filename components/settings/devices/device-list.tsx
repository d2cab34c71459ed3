"use client";
/** List of signed-in browsers with the current one marked; each other one can be signed out. */
import type { Device } from "@/lib/protocol/share";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Time } from "../../ui/text/time";
import { useSharingMessages } from "../../messages/sharing-messages";
import { useMessages } from "../../messages/messages";
import { SettingGroup } from "../fields/setting-row";
import { useChange } from "../../state/use-change";

export function DeviceList() {
  const messages = useMessages();
  const { devices: text } = useSharingMessages();
  const { toasts } = useClient();
  const { perform } = useChange("toast");
  const devices = useCommandQuery("devices.list", {});
  const revoke = async (device: Device): Promise<void> => {
    if ((await perform("devices.revoke", { id: device.id })) !== undefined) toasts.show({ text: text.revoked });
  };
  return (
    <SettingGroup title={text.list}>
      {devices.isPending && <Skeleton label={messages.common.loading} className="my-3 h-6 w-2/3" />}
      {devices.isError && (
        <p role="alert" className="flex items-center gap-2 py-3">
          {text.listFailed}
          <Button size="small" onClick={() => void devices.refetch()}>
            {messages.common.retry}
          </Button>
        </p>
      )}
      {devices.data?.devices.map((device) => (
        <DeviceRow key={device.id} device={device} onRevoke={() => void revoke(device)} />
      ))}
    </SettingGroup>
  );
}

function DeviceRow({ device, onRevoke }: { readonly device: Device; readonly onRevoke: () => void }) {
  const { figures } = useMessages();
  const { devices: text } = useSharingMessages();
  const name = device.label === "" ? text.unknown : device.label;
  return (
    <div data-device={device.id} className="flex min-h-12 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="cut" title={device.label}>
            {name}
          </span>
          {device.current && <Chip tone="accent">{text.current}</Chip>}
        </p>
        <p className="text-small text-ink-muted">
          {device.online ? (
            text.online
          ) : (
            <>
              {text.lastUsed} <Time at={device.lastUsedAt} figures={figures} />
            </>
          )}
        </p>
      </div>
      {!device.current && (
        <Button look="danger" size="small" aria-label={text.revokeNamed(name)} onClick={onRevoke}>
          {text.revoke}
        </Button>
      )}
    </div>
  );
}
