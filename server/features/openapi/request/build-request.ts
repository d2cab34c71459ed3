/** Builds the request of a call from its input: pure text, nothing is sent. The keys of the owner are added later. */
import { randomSecret } from "@/server/base/id";
import { isJsonObject, type Json } from "@/lib/events/content";
import type { ToolArguments } from "@/server/tools/arguments/parameter-shapes";
import { ToolError } from "@/server/tools/core/tool";
import type { RequestField, RequestPlan } from "../operations/operation";
import { requestAddress } from "./request-address";
import { encodePart, formTexts, toText, writeInPath, writeInQuery } from "./write-value";

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string | null;
}

/** `address` = the confirmed one, without a final slash. Throws ToolError with the next step. */
export function buildApiRequest(plan: RequestPlan, input: Json, address: string): ApiRequest {
  const values = readFieldValues(plan, input);
  const inPlace = (place: RequestField["in"]) => values.filter(([field]) => field.in === place);
  const pairs = inPlace("query").flatMap(([field, value]) => writeInQuery(field, value));
  const query = [...(plan.query ? [plan.query] : []), ...pairs.map(([name, value]) => `${name}=${value}`)].join("&");
  const body = buildBody(plan, inPlace("body"));
  return {
    method: plan.method,
    url: buildUrl(plan, inPlace("path"), address, query),
    headers: {
      Accept: "application/json, text/*;q=0.8, */*;q=0.5",
      ...Object.fromEntries(inPlace("header").map(([field, value]) => [field.name, toHeader(field, value)])),
      ...(body === null ? {} : { "Content-Type": body.type }),
    },
    cookies: inPlace("cookie").flatMap(([field, value]) =>
      writeInQuery(field, value).map(([name, text]) => `${name}=${text}`),
    ),
    body: body?.text ?? null,
  };
}

type FieldValues = readonly (readonly [field: RequestField, value: Json])[];

/** The fields with a value, in the order of the document. */
function readFieldValues({ fields }: RequestPlan, input: Json): FieldValues {
  const values: ToolArguments = isJsonObject(input) ? input : {};
  return fields.flatMap((field): FieldValues => {
    const value = Object.hasOwn(values, field.field) ? values[field.field] : undefined;
    return value === undefined || value === null ? [] : [[field, value]];
  });
}

const refuse = (field: RequestField, reason: string): ToolError =>
  new ToolError("bad_input", `The value of ${field.field} ${reason}. Call it again with another value.`);

const isDotSegment = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment);
const hasControls = (text: string): boolean => /[\u0000-\u001f\u007f\u2028\u2029]/.test(text);

function buildUrl(plan: RequestPlan, values: FieldValues, confirmed: string, query: string): URL {
  const { path } = plan;
  const start = requestAddress(plan, confirmed);
  if (start === null)
    throw new ToolError(
      "not_allowed",
      `${path} is at another host than ${new URL(confirmed).host}, which the user confirmed. Use another tool, or tell the user.`,
    );
  const texts = new Map(values.map(([field, value]) => [field.name, writePathValue(field, value)]));
  const written = path.replace(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const value = texts.get(name);
    if (value === undefined) throw new ToolError("bad_input", `${name} is missing. Call it again with ${name}.`);
    return value;
  });
  if (written.split("/").some(isDotSegment))
    throw new ToolError("bad_input", `The path ${written} leads elsewhere. Call it again with another value.`);
  return new URL(`${start}${written.replace(/[?#]/g, encodePart)}${query === "" ? "" : `?${query}`}`);
}

/** No value of a path may lead to another path, also behind a server that decodes it first. */
function writePathValue(field: RequestField, value: Json): string {
  const texts = textsOf(value);
  if (texts.some(hasControls)) throw refuse(field, "contains a line break or a control character");
  if (texts.some(hasDotSegment)) throw refuse(field, "contains . or .. as a part of a path");
  const written = writeInPath(field, value, encodePart);
  if (written === "") throw refuse(field, "is empty");
  return written;
}

/** Servers and the proxies in front of them may each decode a path once. */
const maxDecodings = 4;

function hasDotSegment(text: string): boolean {
  let decoded = text;
  for (let count = 0; count <= maxDecodings; count += 1) {
    if (decoded.split(/[/\\]/).some((part) => part === "." || part === "..")) return true;
    decoded = decoded.replace(/%(2e|2f|5c|25)/gi, (_code, byte: string) =>
      String.fromCharCode(Number.parseInt(byte, 16)),
    );
  }
  return false;
}

function textsOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]);
  return [toText(value)];
}

function toHeader(field: RequestField, value: Json): string {
  const text = writeInPath(field, value, (one) => one);
  if (hasControls(text)) throw refuse(field, "contains a line break or a control character");
  // Headers are bytes of Latin 1; others would become something else.
  if (/[^\u0020-\u00ff]/.test(text)) throw refuse(field, "contains a character that a header cannot have");
  return text;
}

type RequestBody = NonNullable<RequestPlan["body"]>;

interface WrittenBody {
  readonly type: string;
  readonly text: string;
}

function buildBody({ body }: RequestPlan, values: FieldValues): WrittenBody | null {
  if (body === undefined || (values.length === 0 && !body.isRequired)) return null;
  const { type, mediaType, whole } = body;
  const [first] = values;
  if (whole !== undefined) {
    if (first === undefined) throw new ToolError("bad_input", `${whole} is missing. Call it again with ${whole}.`);
    const [field, value] = first;
    if (type === "text") return { type: mediaType, text: toText(value) };
    if (type === "json") return { type: mediaType, text: JSON.stringify(value) };
    if (!isJsonObject(value)) throw refuse(field, "is no object with the fields of the form");
    return writeFields(type, mediaType, membersOf(field, value));
  }
  return writeFields(type, mediaType, values);
}

const membersOf = (field: RequestField, members: ToolArguments): FieldValues =>
  Object.entries(members).flatMap(
    ([name, value]): FieldValues => (value === undefined || value === null ? [] : [[{ ...field, name }, value]]),
  );

function writeFields(type: RequestBody["type"], mediaType: string, values: FieldValues): WrittenBody {
  switch (type) {
    case "json":
      return {
        type: mediaType,
        text: JSON.stringify(Object.fromEntries(values.map(([{ name }, value]) => [name, value]))),
      };
    case "text":
      return { type: mediaType, text: "" };
    case "form":
      return { type: mediaType, text: writeForm(values) };
    case "multipart":
      return writeMultipart(values);
  }
}

/** Spaces are `+`, as browsers write them. */
const writeForm = (values: FieldValues): string =>
  values
    .flatMap(([field, value]) =>
      field.style === "json"
        ? formTexts(value).map((text) => [encodePart(field.name), encodePart(text)] as const)
        : writeInQuery(field, value),
    )
    .map(([name, value]) => `${name}=${value}`.replaceAll("%20", "+"))
    .join("&");

interface FormPart {
  readonly name: string;
  readonly text: string;
  readonly isJson?: boolean;
}

function writeMultipart(values: FieldValues): WrittenBody {
  const boundary = `gopi-${randomSecret()}`;
  const parts = values.flatMap(([field, value]) => partsOf(field, value));
  const written = parts.map(({ name, text, isJson = false }) => {
    const head = `Content-Disposition: form-data; name="${escapeName(name)}"\r\n`;
    return `--${boundary}\r\n${head}${isJson ? "Content-Type: application/json\r\n" : ""}\r\n${text}\r\n`;
  });
  return { type: `multipart/form-data; boundary=${boundary}`, text: `${written.join("")}--${boundary}--\r\n` };
}

function partsOf({ name, style, explode }: RequestField, value: Json): readonly FormPart[] {
  if (isJsonObject(value) && style !== "json" && (explode || style === "deepObject"))
    return Object.entries(value).map(([member, one]) => ({
      name: style === "deepObject" ? `${name}[${member}]` : member,
      text: toText(one),
    }));
  if (style !== "json" && !explode && typeof value === "object" && value !== null) {
    const items = Array.isArray(value) ? value : Object.entries(value).flat();
    const separator = { spaceDelimited: " ", pipeDelimited: "|" }[String(style)] ?? ",";
    return [{ name, text: items.map(toText).join(separator) }];
  }
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => ({ name, text: toText(item), isJson: typeof item === "object" && item !== null }));
}

/** As browsers write names of parts. */
const escapeName = (name: string): string =>
  name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
