"use client";
/** The devices that receive Web Push: this browser can be added, each can be removed. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { PushDevice } from "@/lib/notices/push-device";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { Dialog } from "../../ui/overlays/dialog";
import { SettingGroup } from "../fields/setting-row";
import { useChange } from "../../state/use-change";
import { pushSupport, subscribeToPush, unsubscribeFromPush } from "./push-subscription";

export function PushDevices() {
  const { notices } = useFullMessages();
  const text = notices.push;
  const support = pushSupport();
  const devices = useCommandQuery("notices.devices", {}).data?.devices;
  const hasThis = devices?.some(({ isCurrent }) => isCurrent) === true;
  return (
    <SettingGroup title={text.title}>
      <div className="grid gap-2 py-4">
        <p className="max-w-[64ch] text-ink-muted">{text.about}</p>
        {support !== "supported" && <p className="max-w-[64ch] rounded-card bg-ask-soft px-3 py-2">{text[support]}</p>}
        {support === "supported" && !hasThis && <AddThisDevice />}
      </div>
      {devices?.map((device) => (
        <DeviceRow key={device.device} device={device} />
      ))}
    </SettingGroup>
  );
}

function AddThisDevice() {
  const messages = useFullMessages();
  const text = messages.notices.push;
  const { call, cache } = useClient();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: () => subscribeToPush(call),
    onSuccess: (outcome) => {
      setOpen(false);
      setProblem(outcome === "subscribed" ? null : text[outcome]);
      void invalidateCommands(cache, ["devices.list", "notices.devices"]);
    },
  });
  return (
    <>
      <Button className="w-fit" onClick={() => setOpen(true)}>
        {text.add}
      </Button>
      {problem !== null && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      {isOpen && (
        <Dialog
          title={text.add}
          closeName={messages.common.close}
          onClose={() => setOpen(false)}
          footer={
            <>
              <Button onClick={() => setOpen(false)}>{messages.common.cancel}</Button>
              <Button look="primary" busy={add.isPending} onClick={() => add.mutate()}>
                {text.agree}
              </Button>
            </>
          }
        >
          <ul className="grid list-disc gap-2 pl-5">
            {text.terms.map((term) => (
              <li key={term}>{term}</li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

function DeviceRow({ device }: { readonly device: PushDevice }) {
  const { notices, figures } = useFullMessages();
  const text = notices.push;
  const { perform } = useChange("toast");
  const name = device.label === "" ? text.unknown : device.label;
  const remove = async (): Promise<void> => {
    if (device.isCurrent) await unsubscribeFromPush();
    await perform("notices.unsubscribe", { device: device.device });
  };
  return (
    <div data-push-device={device.device} className="flex min-h-12 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="cut">{name}</span>
          {device.isCurrent && <Chip tone="accent">{text.current}</Chip>}
        </p>
        <p className="cut text-small text-ink-muted">
          {text.since(figures.dateTime(device.createdAt))} · {text.via(device.service)}
        </p>
      </div>
      <Button look="danger" size="small" aria-label={text.removeNamed(name)} onClick={() => void remove()}>
        {text.remove}
      </Button>
    </div>
  );
}
