/** Questions of a server to the user: the fields of a form, and whether an answer fits them. Pure. */
import { isJsonObject, type Json } from "../events/content";
import type { CallId, SessionId } from "../events/id";

interface FieldBase {
  /** Key of its value in the answer. */
  readonly name: string;
  /** In the words of the server. */
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Its words ask for something like a password. */
  readonly isSecret: boolean;
}

interface FieldOption {
  readonly value: string;
  readonly label: string;
}

export type ElicitationField = FieldBase &
  (
    | {
        readonly kind: "text";
        readonly format: "email" | "uri" | "date" | "date-time" | null;
        readonly minLength: number;
        readonly maxLength: number;
        readonly initial: string;
      }
    | {
        readonly kind: "number";
        readonly isInteger: boolean;
        readonly minimum: number | null;
        readonly maximum: number | null;
        readonly initial: number | null;
      }
    | { readonly kind: "boolean"; readonly initial: boolean }
    | { readonly kind: "choice"; readonly options: readonly FieldOption[]; readonly initial: string }
    | {
        readonly kind: "choices";
        readonly options: readonly FieldOption[];
        readonly minItems: number;
        readonly maxItems: number;
        readonly initial: readonly string[];
      }
  );

export type ElicitedValue = string | number | boolean | readonly string[];

export interface ElicitedContent {
  readonly [name: string]: ElicitedValue;
}

/** A question that waits for the user. */
export interface ElicitationView {
  readonly id: string;
  /** The call that it belongs to, and its session. */
  readonly callId: CallId;
  readonly sessionId: SessionId;
  /** Name of the server. */
  readonly server: string;
  /** In the words of the server. */
  readonly message: string;
  /** It is cancelled then, ms epoch. */
  readonly until: number;
  readonly asks:
    | { readonly kind: "form"; readonly fields: readonly ElicitationField[] }
    /** Opened by a click of the user only. `waitsForEnd`: the answer is due when the user has finished there. */
    | { readonly kind: "url"; readonly url: string; readonly waitsForEnd: boolean };
}

const maxFields = 30;
const maxOptions = 100;
const maxNameChars = 200;
const maxTitleChars = 200;
const maxDescriptionChars = 1_000;
const maxTextChars = 10_000;

const secretWords =
  /pass(?:word|wd|code|phrase)|secret|token|api[ _-]?key|private[ _-]?key|credential|security code|\bpin\b|密码|密钥|口令|令牌|私钥|验证码/i;

type JsonMap = { readonly [name: string]: Json };

const textOf = (value: Json | undefined, maxChars: number): string =>
  typeof value === "string" ? value.slice(0, maxChars) : "";
const numberOf = (value: Json | undefined): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;
const countOf = (value: Json | undefined, absent: number): number => {
  const found = numberOf(value);
  return found === null ? absent : Math.min(absent === 0 ? maxTextChars : absent, Math.max(0, Math.floor(found)));
};

/**
 * Reads the fields of a form from a JSON Schema of a flat object. A field that cannot be shown is left out. Null = the
 * form cannot be answered: it has no field, too many, or a required one that cannot be shown.
 */
export function readElicitationFields(schema: Json): readonly ElicitationField[] | null {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return null;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const entries = Object.entries(schema.properties);
  if (entries.length > maxFields) return null;
  const fields: ElicitationField[] = [];
  for (const [name, value] of entries) {
    const isRequired = required.has(name);
    const field = isJsonObject(value) && name.length <= maxNameChars ? readField(name, value, isRequired) : null;
    if (field !== null) fields.push(field);
    else if (isRequired) return null;
  }
  return fields.length === 0 ? null : fields;
}

const textFormats = ["email", "uri", "date", "date-time"] as const;

function readField(name: string, value: JsonMap, isRequired: boolean): ElicitationField | null {
  const title = textOf(value.title, maxTitleChars);
  const description = textOf(value.description, maxDescriptionChars);
  const base = {
    name,
    title: title === "" ? name : title,
    description,
    isRequired,
    isSecret: value.type === "string" && secretWords.test(`${name} ${title} ${description}`),
  };
  const options = readOptions(value);
  if (options !== null) {
    const first = textOf(value.default, maxTextChars);
    const initial = options.some((one) => one.value === first) ? first : "";
    return { ...base, isSecret: false, kind: "choice", options, initial };
  }
  switch (value.type) {
    case "string":
      return {
        ...base,
        kind: "text",
        format: textFormats.find((format) => format === value.format) ?? null,
        minLength: countOf(value.minLength, 0),
        maxLength: countOf(value.maxLength, maxTextChars),
        initial: textOf(value.default, maxTextChars),
      };
    case "number":
    case "integer":
      return {
        ...base,
        kind: "number",
        isInteger: value.type === "integer",
        minimum: numberOf(value.minimum),
        maximum: numberOf(value.maximum),
        initial: numberOf(value.default),
      };
    case "boolean":
      return { ...base, kind: "boolean", initial: value.default === true };
    case "array":
      return readChoices(base, value);
    default:
      return null;
  }
}

function readChoices(base: FieldBase, value: JsonMap): ElicitationField | null {
  const options = isJsonObject(value.items) ? readOptions(value.items) : null;
  if (options === null) return null;
  const chosen = Array.isArray(value.default) ? value.default : [];
  return {
    ...base,
    kind: "choices",
    options,
    minItems: countOf(value.minItems, 0),
    maxItems: countOf(value.maxItems, options.length),
    initial: options.flatMap((option) => (chosen.includes(option.value) ? [option.value] : [])),
  };
}

/** Null = its values are not listed, or cannot be shown. */
function readOptions(value: JsonMap): readonly FieldOption[] | null {
  const titled = value.oneOf ?? value.anyOf;
  const names = Array.isArray(value.enumNames) ? value.enumNames : [];
  const listed: readonly (readonly [Json | undefined, Json | undefined])[] = Array.isArray(titled)
    ? titled.map((one) => (isJsonObject(one) ? [one.const, one.title] : [undefined, undefined]))
    : Array.isArray(value.enum)
      ? value.enum.map((one, at) => [one, names[at]])
      : [];
  if (listed.length === 0 || listed.length > maxOptions) return null;
  const options = listed.flatMap(([one, label]) => {
    const shown = textOf(label, maxTitleChars);
    return typeof one === "string" ? [{ value: one, label: shown === "" ? one : shown }] : [];
  });
  return options.length === listed.length ? options : null;
}

/** Why a value does not fit: it is missing, has another form, or is beyond a limit. */
export type FieldProblem =
  | { readonly kind: "required" | "email" | "uri" | "date" | "date-time" | "number" | "integer" | "choice" }
  | {
      readonly kind: "minLength" | "maxLength" | "minimum" | "maximum" | "minItems" | "maxItems";
      readonly limit: number;
    };

const dateShape = /^\d{4}-\d{2}-\d{2}$/;
const isDay = (text: string): boolean => dateShape.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

const formatTests: Readonly<Record<(typeof textFormats)[number], (text: string) => boolean>> = {
  email: (text) => /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text),
  date: isDay,
  "date-time": (text) =>
    isDay(text.slice(0, 10)) && /^[T ]\d{2}:\d{2}/.test(text.slice(10)) && !Number.isNaN(Date.parse(text)),
};

/** Undefined and "" = no value. Null = it fits. */
export function findFieldProblem(field: ElicitationField, value: ElicitedValue | undefined): FieldProblem | null {
  if (value === undefined || value === "") return field.isRequired ? { kind: "required" } : null;
  switch (field.kind) {
    case "text":
      return typeof value === "string" ? findTextProblem(field, value) : { kind: "required" };
    case "number":
      return typeof value === "number"
        ? findNumberProblem(field, value)
        : { kind: field.isInteger ? "integer" : "number" };
    case "boolean":
      return typeof value === "boolean" ? null : { kind: "choice" };
    case "choice":
      return field.options.some((option) => option.value === value) ? null : { kind: "choice" };
    case "choices":
      return typeof value === "object" ? findChoicesProblem(field, value) : { kind: "choice" };
  }
}

type FieldOf<K extends ElicitationField["kind"]> = Extract<ElicitationField, { readonly kind: K }>;

function findTextProblem({ format, minLength, maxLength }: FieldOf<"text">, text: string): FieldProblem | null {
  if (text.length < minLength) return { kind: "minLength", limit: minLength };
  if (text.length > maxLength) return { kind: "maxLength", limit: maxLength };
  return format === null || formatTests[format](text) ? null : { kind: format };
}

function findNumberProblem({ isInteger, minimum, maximum }: FieldOf<"number">, value: number): FieldProblem | null {
  if (!Number.isFinite(value)) return { kind: "number" };
  if (isInteger && !Number.isInteger(value)) return { kind: "integer" };
  if (minimum !== null && value < minimum) return { kind: "minimum", limit: minimum };
  return maximum !== null && value > maximum ? { kind: "maximum", limit: maximum } : null;
}

function findChoicesProblem(
  { options, minItems, maxItems, isRequired }: FieldOf<"choices">,
  chosen: readonly string[],
): FieldProblem | null {
  if (chosen.some((one) => !options.some(({ value }) => value === one))) return { kind: "choice" };
  if (chosen.length === 0 && !isRequired) return null;
  const least = isRequired ? Math.max(1, minItems) : minItems;
  if (chosen.length < least) return { kind: "minItems", limit: least };
  return chosen.length > maxItems ? { kind: "maxItems", limit: maxItems } : null;
}

/** Returns the values of the fields that have one; null = one does not fit. */
export function checkElicited(fields: readonly ElicitationField[], content: ElicitedContent): ElicitedContent | null {
  const checked: { [name: string]: ElicitedValue } = {};
  for (const field of fields) {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    if (findFieldProblem(field, value) !== null) return null;
    if (value !== undefined && value !== "") Object.defineProperty(checked, field.name, { value, enumerable: true });
  }
  return checked;
}
