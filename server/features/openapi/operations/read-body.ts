/** Reads the body of an operation: as fields where it is an object, else as one field. Pure. */
import { isJsonObject, isRecord, type Json } from "@/lib/events/content";
import { reduceSchema } from "@/server/tools/toolbox/reduce-schema";
import type { ToolArguments } from "@/server/tools/arguments/parameter-shapes";
import { type DocumentObject, listOf, memberOf, objectOf, textOf } from "../document/document-value";
import { type makeReferenceCheck, resolveReference, SkippedOperation } from "../document/references";
import type { ParameterStyle, RequestPlan } from "./operation";
import { isJsonType } from "./read-parameters";

type BodyType = NonNullable<RequestPlan["body"]>["type"];

interface BodyMember {
  /** "" = it is the whole body. */
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
}

export interface Body {
  readonly type: BodyType;
  readonly mediaType: string;
  readonly isRequired: boolean;
  readonly members: readonly BodyMember[];
}

const matchers: readonly (readonly [type: BodyType, matches: (mediaType: string) => boolean])[] = [
  ["json", isJsonType],
  ["form", (type) => /^application\/x-www-form-urlencoded\b/i.test(type)],
  ["multipart", (type) => /^(?:multipart|application)\/form-data\b/i.test(type)],
  ["text", (type) => /^text\/(?!html|event-stream|\*)[\w.+-]+/i.test(type)],
];

const bodyStyles: readonly ParameterStyle[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];

/** null = it has none. Throws SkippedOperation if it must have one that cannot be written. */
export function readBody(
  root: DocumentObject,
  written: unknown,
  checkReferences: ReturnType<typeof makeReferenceCheck>,
): Body | null {
  const requestBody = objectOf(resolveReference(root, written));
  const content = objectOf(memberOf(requestBody, "content"));
  const types = Object.keys(content);
  if (types.length === 0) return null;
  const required = memberOf(requestBody, "required");
  const chosen = chooseType(types);
  if (chosen === null) {
    if (required === false) return null;
    throw new SkippedOperation("body_type", types.join(", ").slice(0, 200));
  }
  const { type, mediaType } = chosen;
  const media = objectOf(content[mediaType]);
  const schema = memberOf(media, "schema") ?? {};
  checkReferences(schema);
  const members = readMembers(root, type, schema, { encoding: memberOf(media, "encoding"), required });
  if (members.length === 0 && required !== true) return null;
  // Many documents leave it out where the body is needed.
  const isRequired = required === true || (required !== false && members.some((member) => member.isRequired));
  return {
    type,
    mediaType: mediaType === "*/*" ? "application/json" : mediaType,
    isRequired,
    members: isRequired ? members : members.map((member) => ({ ...member, isRequired: false })),
  };
}

function chooseType(types: readonly string[]): { readonly type: BodyType; readonly mediaType: string } | null {
  for (const [type, matches] of matchers) {
    const mediaType = types.find((one) => matches(one) && /^[\w.+*/-]+(?:\s*;\s*[\w.+-]+=[\w.+-]+)*$/.test(one));
    if (mediaType !== undefined) return { type, mediaType };
  }
  return null;
}

/** An empty list = it has no members. */
function readMembers(
  root: DocumentObject,
  type: BodyType,
  schema: unknown,
  { encoding, required: isNeeded }: { readonly encoding: unknown; readonly required: unknown },
): readonly BodyMember[] {
  const whole: Omit<BodyMember, "schema"> = { name: "", isRequired: true, style: "json", explode: false };
  if (type === "text") return [{ ...whole, schema: { type: "string" } }];
  const reduced = reduce(schema, root);
  const members = Object.entries(propertiesOf(reduced));
  // It is no object, or one whose members are not said.
  if (members.length === 0) {
    if (type !== "json") {
      const form = objectOf(resolveReference(root, schema));
      if (hasNoFields(form)) return [];
      if (listOfTypes(form).includes("object")) return [{ ...whole, schema: { type: "object" } }];
      if (isNeeded === false) return [];
      throw new SkippedOperation("body_type", `${type} without fields`);
    }
    const wrapped = propertiesOf(reduce({ type: "object", properties: { body: schema } }, root)).body ?? {};
    return [{ ...whole, schema: wrapped }];
  }
  const written = readProperties(root, schema);
  const required = new Set(listOf(reduced.required));
  const encodings = objectOf(encoding);
  let files = 0;
  const read = members.flatMap(([name, member]): readonly BodyMember[] => {
    const property = written.get(name);
    // Only answers have this property.
    if (property !== undefined && memberOf(property, "readOnly") === true) return [];
    const isRequired = required.has(name);
    if (type !== "json" && property !== undefined && isFile(root, property)) {
      if (isRequired) throw new SkippedOperation("file", name.slice(0, 100));
      files += 1;
      return [];
    }
    return [{ name, schema: member, isRequired, ...readEncoding(objectOf(memberOf(encodings, name))) }];
  });
  // Without its files nothing would be sent.
  if (read.length === 0 && files > 0 && isNeeded !== false) throw new SkippedOperation("file", "");
  return read;
}

const listOfTypes = (schema: DocumentObject): readonly unknown[] => {
  const type = memberOf(schema, "type") ?? "object";
  return typeof type === "string" ? [type] : listOf(type);
};

/** Whether a form is said to be empty. Without `properties` its fields may have any names. */
function hasNoFields(form: DocumentObject): boolean {
  const others = memberOf(form, "additionalProperties");
  return others === false || (others === undefined && isRecord(memberOf(form, "properties")));
}

/** Without a style, an object is written as JSON, and a list as several values. */
function readEncoding(encoding: DocumentObject): Pick<BodyMember, "style" | "explode"> {
  const style = bodyStyles.find((one) => one === memberOf(encoding, "style"));
  const explode = memberOf(encoding, "explode");
  if (style === undefined) return { style: "json", explode: true };
  return { style, explode: typeof explode === "boolean" ? explode : style === "form" || style === "deepObject" };
}

function reduce(schema: unknown, root: DocumentObject): ToolArguments {
  const reduced = reduceSchema(schema, root);
  if (!reduced.ok) throw new SkippedOperation("schema", reduced.detail);
  return isJsonObject(reduced.parameters) ? reduced.parameters : {};
}

export const propertiesOf = (schema: ToolArguments): ToolArguments =>
  isJsonObject(schema.properties) ? schema.properties : {};

const maxDepth = 4;

/** The members of an object as the document has them, without references; the first of a name counts. */
function readProperties(root: DocumentObject, schema: unknown, depth = 0): ReadonlyMap<string, DocumentObject> {
  const found = new Map<string, DocumentObject>();
  const read = resolveReference(root, schema);
  if (!isRecord(read) || depth > maxDepth) return found;
  for (const [name, member] of Object.entries(objectOf(memberOf(read, "properties")))) {
    const property = resolveReference(root, member);
    if (isRecord(property)) found.set(name, property);
  }
  for (const keyword of ["allOf", "oneOf", "anyOf"])
    for (const part of listOf(memberOf(read, keyword)))
      for (const [name, property] of readProperties(root, part, depth + 1))
        if (!found.has(name)) found.set(name, property);
  return found;
}

function isFile(root: DocumentObject, schema: DocumentObject): boolean {
  const items = memberOf(schema, "items");
  if (items !== undefined) {
    const item = resolveReference(root, items);
    return isRecord(item) && memberOf(item, "items") === undefined && isFile(root, item);
  }
  const mediaType = memberOf(schema, "contentMediaType");
  const isBinary = typeof mediaType === "string" && memberOf(schema, "contentEncoding") === undefined;
  return textOf(memberOf(schema, "format")) === "binary" || (isBinary && !mediaType.startsWith("text/"));
}
