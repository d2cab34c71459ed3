/**
 * Reduces the JSON Schema of another program's tool, of any draft, to the subset of `parameter-shapes.ts` with short
 * descriptions: what local model servers show a model. The schema may be hostile: time and result are bounded, and no
 * pattern of it is run. Pure.
 */
import { isRecord, type Json } from "@/lib/events/content";
import { findPointerTarget } from "@/server/base/json-pointer";
import type { EnumValue } from "../arguments/parameter-shapes";
import { firstSentence, toOneLine } from "./foreign-text";
import {
  anyNode,
  joinNodes,
  joinToObject,
  maxSchemaLevels,
  mergeNodes,
  printNode,
  type SchemaNode,
} from "./schema-node";

const maxSchemaKb = 64;
const maxSchemaChars = maxSchemaKb * 1_024;
/** Larger definitions are not measured further. */
const maxMeasuredKb = 1_024;
/** References within references that are replaced by their targets. */
const maxReferences = 4;
const maxDescriptionChars = 100;
/** UTF-16 units. */
const maxMemberNameChars = 64;

/** Whether a name can be part of a line of the prompt. Members with other names are left out. */
const isMemberName = (name: string): boolean => name.length <= maxMemberNameChars && toOneLine(name) === name;

type SchemaRecord = { readonly [keyword: string]: unknown };
const isUnknownList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const ownValue = (record: SchemaRecord, keyword: string): unknown =>
  Object.hasOwn(record, keyword) ? record[keyword] : undefined;
const noValues: readonly unknown[] = [];
const listOf = (value: unknown): readonly unknown[] => (isUnknownList(value) ? value : noValues);

/** Changes with the reduced forms of schemas: one of another version is not read from the store. A test guards it. */
export const reducedVersion = 3;

export type ReducedSchema =
  | { readonly ok: true; readonly parameters: Json }
  /** `detail` completes "It cannot be used: …". */
  | { readonly ok: false; readonly detail: string };

const badNameDetail = `it requires a parameter whose name has line breaks, hidden characters or more than ${maxMemberNameChars} characters`;

/**
 * Returns the parameters of a tool as a JSON Schema object, or why its definition is not read. Never throws. `root` = the
 * document that local references point into. A definition of exactly 16 levels or 64 KB is read. Its size is
 * the number of characters of its JSON without escapes and with a comma after each member and item; that of the result is
 * limited in the same way.
 */
export function reduceSchema(schema: unknown, root: unknown = schema): ReducedSchema {
  const tooLarge = findExcess(schema);
  if (tooLarge !== null) return { ok: false, detail: tooLarge };
  const reading: Reading = { root, left: maxSchemaChars, isTooDeep: false, needsBadName: false };
  const parameters = joinToObject(readNode(schema, reading, [], 1));
  if (reading.isTooDeep) return { ok: false, detail: `its definition has more than ${maxSchemaLevels} levels` };
  if (reading.needsBadName) return { ok: false, detail: badNameDetail };
  const printed = printNode({ ...anyNode, type: "object", properties: new Map(), ...parameters, description: "" });
  const stillTooLarge = findExcess(printed);
  return stillTooLarge === null ? { ok: true, parameters: printed } : { ok: false, detail: stillTooLarge };
}

/** Says that a definition is too large, from the characters of its JSON; null = it is not. */
function findExcess(schema: unknown): string | null {
  const kb = Math.ceil(countJsonChars(schema, maxMeasuredKb * 1_024) / 1_024);
  if (kb <= maxSchemaKb) return null;
  const size = kb > maxMeasuredKb ? "more than 1,024 KB" : `${kb} KB`;
  return `its definition has ${size}; at most ${maxSchemaKb} KB are read`;
}

/** Counts the characters of a value as JSON, without escapes and with a comma after each member and item, until there are more than `maxChars`. */
function countJsonChars(value: unknown, maxChars: number): number {
  let chars = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && chars <= maxChars) {
    const one = open.pop();
    if (typeof one === "string") chars += one.length + 2;
    else if (typeof one !== "object" || one === null) chars += String(one).length;
    else if (isUnknownList(one)) {
      chars += 2 + one.length;
      for (const item of one) open.push(item);
    } else if (isRecord(one)) {
      const names = Object.keys(one);
      chars += 2 + names.length;
      for (const name of names) {
        chars += name.length + 3;
        open.push(one[name]);
      }
    }
  }
  return chars;
}

type Read = (part: unknown) => SchemaNode;

interface Reading {
  readonly root: unknown;
  /** Characters that may still be read through references. */
  left: number;
  isTooDeep: boolean;
  /** A member that is left out for its name is required. */
  needsBadName: boolean;
}

/** Reads a schema. `references`: the pointers it was reached through. */
function readNode(schema: unknown, reading: Reading, references: readonly string[], level: number): SchemaNode {
  if (!isRecord(schema)) return anyNode;
  if (references.length > 0) {
    if (level > maxSchemaLevels || reading.left <= 0) return cutNode(schema);
    reading.left -= countOwnChars(schema);
  } else if (level > maxSchemaLevels) {
    reading.isTooDeep = true;
    return anyNode;
  }
  const read = (part: unknown): SchemaNode => readNode(part, reading, references, level + 1);
  const members = membersOf(schema);
  const required = readRequired(schema, members);
  reading.needsBadName ||= required.some((name) => !isMemberName(name));
  // Each part is read in this order, because what is read through references is limited.
  const anyOf = readAlternatives(ownValue(schema, "anyOf"), read);
  const oneOf = readAlternatives(ownValue(schema, "oneOf"), read);
  const parts: SchemaNode[] = [readRemarks(schema, required)];
  const add = (part: SchemaNode | null): void => {
    if (part !== null) parts.push(part);
  };
  add(readValues(schema));
  add(readTypes(schema, members, read));
  add(readReference(schema, reading, references, level));
  for (const part of listOf(ownValue(schema, "allOf"))) parts.push(read(part));
  add(anyOf);
  add(oneOf);
  return mergeNodes(parts);
}

function readAlternatives(value: unknown, read: Read): SchemaNode | null {
  const list = listOf(value);
  return list.length === 0 ? null : joinNodes(list.map(read));
}

const ownKeywords = ["description", "$ref", "required", "type", "enum", "const"];

/** Characters that are read in a schema itself, without its parts. */
const countOwnChars = (schema: SchemaRecord): number =>
  32 +
  ownKeywords.reduce((sum, keyword) => {
    const value = ownValue(schema, keyword);
    return sum + (value === undefined ? 1 : countJsonChars(value ?? 0, maxSchemaChars));
  }, 0) +
  Object.keys(toRecord(ownValue(schema, "properties"))).reduce((sum, name) => sum + name.length, 0);

const toRecord = (value: unknown): SchemaRecord => (isRecord(value) ? value : {});

/** A value whose members are not read. */
const cutNode = (schema: unknown): SchemaNode =>
  isRecord(schema) && (ownValue(schema, "type") === "object" || isRecord(ownValue(schema, "properties")))
    ? { ...anyNode, type: "object", properties: new Map() }
    : anyNode;

function readRemarks(schema: SchemaRecord, required: readonly string[]): SchemaNode {
  const description = ownValue(schema, "description");
  return {
    type: "any",
    description: typeof description === "string" ? firstSentence(description, maxDescriptionChars) : "",
    isNullable: ownValue(schema, "nullable") === true,
    required,
  };
}

type SchemaMember = readonly [name: string, member: unknown];

const noNames: readonly string[] = [];

/** The names of required members; the oldest drafts say it in the members. */
function readRequired(schema: SchemaRecord, members: readonly SchemaMember[]): readonly string[] {
  const listed = listOf(ownValue(schema, "required"));
  if (listed.length === 0 && members.length === 0) return noNames;
  const names: string[] = [];
  for (const name of listed) if (typeof name === "string") names.push(name);
  for (const [name, one] of members) if (isRecord(one) && ownValue(one, "required") === true) names.push(name);
  return names;
}

const noMembers: readonly SchemaMember[] = [];

/** A list is no schema: authors put the names of required members among them. */
function membersOf(schema: SchemaRecord): readonly SchemaMember[] {
  const properties = ownValue(schema, "properties");
  return isRecord(properties)
    ? Object.entries(properties).filter(([name, one]) => name !== "__proto__" && !isUnknownList(one))
    : noMembers;
}

const isEnumValue = (value: unknown): value is EnumValue =>
  typeof value === "string" || (typeof value === "number" && Number.isFinite(value));

/** Reads the enumerated values. Lists and objects among them are not compared: then the type decides. */
function readValues(schema: SchemaRecord): SchemaNode | null {
  const all = Object.hasOwn(schema, "const") ? [schema.const] : listOf(ownValue(schema, "enum"));
  if (all.length === 0) return null;
  const isNullable = all.includes(null);
  if (all.some((value) => typeof value === "object" && value !== null)) return { ...anyNode, isNullable };
  const values = [...new Set(all.filter(isEnumValue))];
  const nodes: readonly SchemaNode[] = [
    ...(values.length === 0 ? [] : [{ ...anyNode, type: "enum" as const, values }]),
    ...(all.some((value) => typeof value === "boolean") ? [{ ...anyNode, type: "boolean" as const }] : []),
  ];
  return { ...joinNodes(nodes), isNullable };
}

/** Reads the type or types; without one, members, items or the default imply it. */
function readTypes(schema: SchemaRecord, members: readonly SchemaMember[], read: Read): SchemaNode | null {
  const written = Object.hasOwn(schema, "type") ? schema.type : impliedType(schema);
  if (written === undefined) return null;
  const types = new Set((isUnknownList(written) ? written : [written]).map(toType));
  if (types.size === 0) return null;
  const isNullable = types.delete("null");
  const joined = joinNodes([...types].map((type) => readType(type, schema, members, read)));
  return isNullable ? { ...joined, isNullable } : joined;
}

/** The oldest drafts have schemas among the names of types. */
const toType = (type: unknown): unknown => (isRecord(type) ? type : String(type).toLowerCase());

function impliedType(schema: SchemaRecord): string | undefined {
  if (isRecord(ownValue(schema, "properties"))) return "object";
  if (Object.hasOwn(schema, "items") || Object.hasOwn(schema, "prefixItems")) return "array";
  const base = typeof ownValue(schema, "default");
  return base === "string" || base === "number" || base === "boolean" ? base : undefined;
}

function readType(type: unknown, schema: SchemaRecord, members: readonly SchemaMember[], read: Read): SchemaNode {
  switch (type) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return { ...anyNode, type };
    case "array":
      return { ...anyNode, type: "array", items: readItems(schema, read) };
    case "object":
      return readObject(members, read);
    default:
      return isRecord(type) ? read(type) : anyNode;
  }
}

/** Reads the items of a list; a list of schemas describes them by place. */
function readItems(schema: SchemaRecord, read: Read): SchemaNode {
  const items = ownValue(schema, "items");
  const byPlace = isUnknownList(items) ? items : listOf(ownValue(schema, "prefixItems"));
  return byPlace.length > 0 ? joinNodes(byPlace.map(read)) : read(items);
}

function readObject(members: readonly SchemaMember[], read: Read): SchemaNode {
  const properties = new Map<string, SchemaNode>();
  for (const [name, one] of members) if (isMemberName(name)) properties.set(name, read(one));
  return { ...anyNode, type: "object", properties };
}

/** Reads the target of a reference into the same definition. A target that contains the reference is cut. */
function readReference(
  schema: SchemaRecord,
  reading: Reading,
  references: readonly string[],
  level: number,
): SchemaNode | null {
  const pointer = ownValue(schema, "$ref");
  if (typeof pointer !== "string") return null;
  const target = findPointerTarget(reading.root, pointer);
  const isCut = references.includes(pointer) || references.length >= maxReferences || pointer === "#";
  return isCut ? cutNode(target) : readNode(target, reading, [...references, pointer], level);
}
