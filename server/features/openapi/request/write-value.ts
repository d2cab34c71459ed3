/** Writes values in the styles of OpenAPI: into paths, queries, headers, cookies and forms. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";
import type { ParameterStyle, RequestField } from "../operations/operation";

type Pair = readonly [name: string, value: string];
type Encode = (text: string) => string;

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
export const encodePart: Encode = (text) =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd")).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Leaves the reserved characters that do not end a value of a query. */
const encodeReserved: Encode = (text) =>
  encodePart(text).replace(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g, (code) => decodeURIComponent(code));

/** A value that is no list and no object, as text; JSON inside of such. */
export const toText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

type Members = readonly (readonly [name: string, value: Json])[];

/** Members with a value. */
const membersOf = (value: { readonly [name: string]: Json }): Members =>
  Object.entries(value).filter(([, member]) => member !== null);
const itemsOf = (value: readonly Json[]): readonly Json[] => value.filter((item) => item !== null);
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Writes a path or header value: `simple`, `label` and `matrix`. */
export function writeInPath({ name, style, explode }: RequestField, value: Json, encode: Encode): string {
  const text = (one: Json): string => encode(toText(one));
  if (style === "json") return encode(JSON.stringify(value));
  const separator = !explode ? "," : style === "label" ? "." : style === "matrix" ? ";" : ",";
  const key = encode(name);
  const start = style === "label" ? "." : style === "matrix" ? ";" : "";
  if (isList(value)) {
    const items = itemsOf(value).map(text);
    if (style === "matrix" && explode) return items.map((item) => `;${key}=${item}`).join("");
    return start + (style === "matrix" ? `${key}=` : "") + items.join(separator);
  }
  if (isJsonObject(value)) {
    const members = membersOf(value).map(([member, one]) => [encode(member), text(one)]);
    if (explode) return start + members.map(([member, one]) => `${member}=${one}`).join(separator);
    return start + (style === "matrix" ? `${key}=` : "") + members.flat().join(",");
  }
  const written = text(value);
  return style === "matrix" ? `;${key}${written === "" ? "" : `=${written}`}` : start + written;
}

const delimiters: { readonly [style in ParameterStyle]?: string } = { spaceDelimited: "%20", pipeDelimited: "%7C" };

/** Writes a parameter of a query or a form as `name=value` pairs, encoded; none for an empty list or object. */
export function writeInQuery({ name, style, explode, isReserved }: RequestField, value: Json): readonly Pair[] {
  const encode = isReserved === true ? encodeReserved : encodePart;
  const text = (one: Json): string => encode(toText(one));
  const key = encodePart(name);
  if (style === "json") return [[key, encodePart(JSON.stringify(value))]];
  const delimiter = delimiters[style] ?? ",";
  const joined = (parts: readonly string[]): readonly Pair[] =>
    parts.length === 0 ? [] : [[key, parts.join(delimiter)]];
  if (isList(value)) {
    const items = itemsOf(value).map(text);
    return explode || style === "deepObject" ? items.map((item) => [key, item]) : joined(items);
  }
  if (!isJsonObject(value)) return [[key, text(value)]];
  if (style === "deepObject") return writeDeep(name, value, encode);
  const members = membersOf(value);
  return explode && style === "form"
    ? members.map(([member, one]) => [encodePart(member), text(one)])
    : joined(members.flatMap(([member, one]) => [encodePart(member), text(one)]));
}

/** `name[member]=value`; lists repeat the pair. */
function writeDeep(name: string, value: Json, encode: Encode): readonly Pair[] {
  if (isJsonObject(value))
    return membersOf(value).flatMap(([member, one]) => writeDeep(`${name}[${member}]`, one, encode));
  if (isList(value)) return itemsOf(value).map((item) => [encodePart(name), encode(toText(item))]);
  return [[encodePart(name), encode(toText(value))]];
}

/** The texts of a field of a form without a style of its own: a list is several values, an object is JSON. */
export const formTexts = (value: Json): readonly string[] =>
  isList(value) ? itemsOf(value).map(toText) : [toText(value)];
