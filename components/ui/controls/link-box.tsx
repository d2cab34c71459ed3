"use client";
/** Link for another device: QR code, the link to copy, and an address menu if this machine has several. */
import { useEffect, useId, useState } from "react";
import type { AddressLink } from "@/lib/protocol/share";
import { Button } from "./button";
import { copyText } from "./copy-button";
import { QrCode } from "./qr-code";
import { Select } from "./select";
import { TextField } from "./text-field";
import { useSharingMessages } from "../../messages/sharing-messages";
import { useMessages } from "../../messages/messages";

interface LinkBoxProps {
  /** The same link for each address of this machine; at least one. */
  readonly links: readonly AddressLink[];
}

const copiedMs = 1_500;

export function LinkBox({ links }: LinkBoxProps) {
  const { common } = useMessages();
  const { share } = useSharingMessages();
  const [address, setAddress] = useState(links[0]?.address ?? "");
  const [isCopied, setCopied] = useState(false);
  const id = useId();
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const url = (links.find((link) => link.address === address) ?? links[0])?.url ?? "";
  return (
    <div className="flex gap-4 max-tablet:flex-col max-tablet:items-center">
      <QrCode text={url} label={share.qr} className="size-40 shrink-0 border border-line max-tablet:size-52" />
      <div className="flex min-w-0 flex-1 flex-col gap-3 max-tablet:w-full">
        {links.length > 1 && (
          <div>
            <label htmlFor={`${id}-address`} className="mb-1 block text-small text-ink-muted">
              {share.address}
            </label>
            <Select
              id={`${id}-address`}
              value={address}
              options={links.map((link) => ({ value: link.address, label: link.address }))}
              onChange={setAddress}
              className="w-full"
            />
            <p className="mt-1 text-small text-ink-muted">{share.addressNote}</p>
          </div>
        )}
        <div>
          <label htmlFor={`${id}-link`} className="mb-1 block text-small text-ink-muted">
            {share.link}
          </label>
          <TextField id={`${id}-link`} mono readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
        </div>
        <Button look="primary" className="w-fit max-tablet:w-full" onClick={() => void copyText(url).then(setCopied)}>
          {isCopied ? common.copied : share.copy}
        </Button>
      </div>
    </div>
  );
}
