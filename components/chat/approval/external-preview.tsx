"use client";
/** The whole input of a call of another program's tool, its source, and what the source says about it. */
import type { CallPreview } from "@/lib/events/tool-kind";
import { isOwnSource, ownSourceIds } from "@/lib/tools/own-sources";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";
import { countHidden } from "../../ui/text/hidden-characters";
import { inputFields, InputFields } from "../tools/input-fields";
import { VisibleText } from "../../ui/text/visible-text";

interface WebRequestProps {
  readonly request: NonNullable<Extract<CallPreview, { kind: "external" }>["request"]>;
}

/** Shows the target of a request to the web: the whole address with its host made plain, or the hosts of a search. */
function WebRequest({ request: { hosts, url, method } }: WebRequestProps) {
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

export interface ExternalPreviewProps {
  readonly preview: Extract<CallPreview, { kind: "external" }>;
}

/** The title of the card names them. */
const namedSources: ReadonlySet<string> = new Set([ownSourceIds.channels, ownSourceIds.memory, ownSourceIds.subagent]);

export function ExternalPreview({ preview }: ExternalPreviewProps) {
  const { approval } = useConversationMessages();
  const { common, externalTools } = useFullMessages();
  const hidden = inputFields(preview.input).reduce(
    (sum, [name, value]) => sum + countHidden(name) + countHidden(value),
    0,
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.5 border-t border-line px-3 py-2 text-small text-ink-muted empty:hidden">
        {(preview.request === undefined || preview.request.method !== undefined) &&
          !namedSources.has(preview.source) && (
            <span>
              {externalTools.from} <code className="text-code text-ink">{preview.source}</code>
            </span>
          )}
        {preview.why !== undefined && <Chip tone="ask">{externalTools.why[preview.why]}</Chip>}
        {preview.folder !== undefined && (
          <code className="text-code text-ink [overflow-wrap:anywhere]">
            <VisibleText text={preview.folder} names={common.hidden} />
          </code>
        )}
      </div>
      {preview.request !== undefined && <WebRequest request={preview.request} />}
      {preview.why !== undefined && preview.signature !== undefined && (
        <p className="border-t border-line px-3 py-2 text-small text-ink-muted">
          {externalTools.parameters}{" "}
          <code className="text-code text-ink [overflow-wrap:anywhere]">
            <VisibleText text={preview.signature} names={common.hidden} />
          </code>
        </p>
      )}
      {(preview.request?.url === undefined || preview.request.method !== undefined) && (
        <InputFields
          input={preview.input}
          tool={isOwnSource(preview.source) ? preview.tool : null}
          className="border-t border-line"
        />
      )}
      {hidden > 0 && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{approval.hiddenCharacters(hidden)}</p>
      )}
      {preview.description !== "" && (
        <figure className="border-t border-line px-3 py-2 text-small text-ink-muted">
          <figcaption>{externalTools.saysOfItself}</figcaption>
          <blockquote className="mt-1 max-h-32 overflow-y-auto border-l-2 border-line pl-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
            <VisibleText text={preview.description} names={common.hidden} />
          </blockquote>
        </figure>
      )}
    </>
  );
}
