"use client";
/** The fields of an input, whole: a text is shown as it is, anything else as JSON. */
import type { Json } from "@/lib/events/content";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";

export interface InputFieldsProps {
  readonly input: Json;
  readonly className?: string;
}

const formatValue = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** Returns the fields as texts; an input that is no object is one field without a name. */
export function inputFields(input: Json): readonly (readonly [name: string, value: string])[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [["", formatValue(input)]];
  return Object.entries(input).map(([name, value]) => [name, formatValue(value)]);
}

export function InputFields({ input, className }: InputFieldsProps) {
  const { common, externalTools } = useFullMessages();
  const fields = inputFields(input);
  if (fields.length === 0)
    return <p className={classes("px-3 py-2 text-ink-muted", className)}>{externalTools.noInput}</p>;
  return (
    <dl
      tabIndex={0}
      aria-label={externalTools.input}
      className={classes(
        "grid max-h-[50dvh] grid-cols-[fit-content(35%)_minmax(0,1fr)] gap-x-3 gap-y-1 overflow-y-auto px-3 py-2 max-tablet:grid-cols-1 max-tablet:gap-y-0",
        className,
      )}
    >
      {fields.map(([name, value], index) => (
        <div key={index} className="contents">
          <dt className="text-small leading-5 text-ink-muted [overflow-wrap:anywhere]">
            <VisibleText text={name} names={common.hidden} />
          </dt>
          <dd className="font-mono text-code whitespace-pre-wrap max-tablet:mb-1.5 [overflow-wrap:anywhere]">
            <VisibleText text={value} names={common.hidden} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
