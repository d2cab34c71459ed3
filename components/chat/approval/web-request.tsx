"use client";
/** What a request to the web sends, and where: the whole address with its host made plain, or the hosts of a search. */
import type { CallPreview } from "@/lib/events/tool-kind";
import { useFullMessages } from "../../messages/full-messages";

interface WebRequestProps {
  readonly request: NonNullable<Extract<CallPreview, { kind: "external" }>["request"]>;
}

export function WebRequest({ request: { hosts, url, method } }: WebRequestProps) {
  const { externalTools: text } = useFullMessages();
  const address = url === undefined ? null : splitAddress(url);
  return (
    <div className="grid gap-1.5 border-t border-line px-3 py-2.5">
      <p className="text-ink-muted [overflow-wrap:anywhere]">
        {address === null ? (hosts.length === 1 ? text.sentTo : text.sentToFirst) : text.host}{" "}
        <strong className="font-mono font-semibold text-ink">{address?.host ?? hosts.join(", ")}</strong>
      </p>
      {address !== null && (
        <p
          tabIndex={0}
          data-address
          className="max-h-[30dvh] overflow-y-auto font-mono text-code text-ink-muted [overflow-wrap:anywhere]"
        >
          {method !== undefined && `${method} `}
          {address.before}
          <span className="font-semibold text-ink">{address.host}</span>
          {address.after}
        </p>
      )}
    </div>
  );
}

/** Splits an address around its host, port included. */
function splitAddress(url: string): { readonly before: string; readonly host: string; readonly after: string } {
  if (!URL.canParse(url)) return { before: "", host: "", after: url };
  const { protocol, host, href } = new URL(url);
  const before = `${protocol}//`;
  return { before, host, after: href.slice(before.length + host.length) };
}
