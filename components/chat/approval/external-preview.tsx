"use client";
/** The whole input of a call of another program's tool, its source, and what the source says about it. */
import type { Json } from "@/lib/events/content";
import type { CallPreview } from "@/lib/events/tool-kind";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";
import { countHidden } from "../../ui/text/hidden-characters";
import { VisibleText } from "../../ui/text/visible-text";

export interface ExternalPreviewProps {
  readonly preview: Extract<CallPreview, { kind: "external" }>;
}

/** The fields of an input; a text is shown as it is, anything else as JSON. */
function inputFields(input: Json): readonly (readonly [name: string, value: string])[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [["", formatValue(input)]];
  return Object.entries(input).map(([name, value]) => [name, formatValue(value)]);
}

const formatValue = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

export function ExternalPreview({ preview }: ExternalPreviewProps) {
  const { approval, common, externalTools } = useFullMessages();
  const fields = inputFields(preview.input);
  const hidden = fields.reduce((sum, [name, value]) => sum + countHidden(name) + countHidden(value), 0);
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.5 border-t border-line px-3 py-2 text-small text-ink-muted">
        <span>
          {externalTools.from} <code className="text-code text-ink">{preview.source}</code>
        </span>
        {preview.why !== undefined && <Chip tone="ask">{externalTools.why[preview.why]}</Chip>}
      </div>
      {preview.description !== "" && (
        <figure className="border-t border-line px-3 py-2 text-small text-ink-muted">
          <figcaption>{externalTools.saysOfItself}</figcaption>
          <blockquote className="mt-1 max-h-32 overflow-y-auto border-l-2 border-line pl-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
            <VisibleText text={preview.description} names={common.hidden} />
          </blockquote>
        </figure>
      )}
      {fields.length === 0 ? (
        <p className="border-t border-line px-3 py-2 text-ink-muted">{externalTools.noInput}</p>
      ) : (
        <dl
          tabIndex={0}
          aria-label={externalTools.input}
          className="max-h-[50dvh] overflow-y-auto border-t border-line px-3 py-2"
        >
          {fields.map(([name, value], index) => (
            <div
              key={index}
              className="grid grid-cols-[minmax(4rem,auto)_minmax(0,1fr)] gap-x-3 py-0.5 max-tablet:grid-cols-1"
            >
              <dt className="text-small text-ink-muted [overflow-wrap:anywhere]">
                <VisibleText text={name} names={common.hidden} />
              </dt>
              <dd className="text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
                <VisibleText text={value} names={common.hidden} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {hidden > 0 && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{approval.hiddenCharacters(hidden)}</p>
      )}
    </>
  );
}
