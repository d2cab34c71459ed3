"use client";
/** The fields of an input, whole: a text is shown as it is, anything else as JSON. */
import type { Json } from "@/lib/events/content";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";

interface InputFieldsProps {
  readonly input: Json;
  /** Name of a tool of the program, whose fields are named in the user's language; other names have no effect. */
  readonly tool: string | null;
  readonly className?: string;
}

const formatValue = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** Returns the fields as texts; an input that is no object is one field without a name. */
export function inputFields(input: Json): readonly (readonly [name: string, value: string])[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [["", formatValue(input)]];
  return Object.entries(input).map(([name, value]) => [name, formatValue(value)]);
}

type Texts<V> = Readonly<Record<string, V>>;

/** Returns the own value of a record; undefined = it has none. */
const lookUp = <V,>(record: Texts<V> | undefined, key: string): V | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

/** Returns the fields of a call with the names and values that the user reads. */
function namedFields(tool: string | null, input: Json, texts: FullMessages["externalTools"]) {
  const fields: Texts<Texts<string>> = texts.fields;
  const values: Texts<Texts<Texts<string>>> = texts.values;
  return inputFields(input).map(([name, value]): readonly [string, string] => [
    lookUp(lookUp(fields, tool ?? ""), name) ?? name,
    lookUp(lookUp(lookUp(values, tool ?? ""), name), value) ?? value,
  ]);
}

export function InputFields({ input, tool, className }: InputFieldsProps) {
  const { common, externalTools } = useFullMessages();
  const fields = namedFields(tool, input, externalTools);
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
