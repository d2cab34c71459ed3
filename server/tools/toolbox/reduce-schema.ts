/**
 * Reduces the JSON Schema of another program's tool, of any draft, to the subset of `parameter-shapes.ts` with short
 * descriptions: what local model servers show a model. The schema may be hostile: time and result are bounded, and no
 * pattern of it is run. Pure.
 */
import type { Json } from "@/lib/events/content";
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
const isRecord = (value: unknown): value is SchemaRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isUnknownList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const ownValue = (record: SchemaRecord, keyword: string): unknown =>
  Object.hasOwn(record, keyword) ? record[keyword] : undefined;
const listOf = (value: unknown): readonly unknown[] => (isUnknownList(value) ? value : []);

type ReducedSchema =
  | { readonly ok: true; readonly parameters: Json }
  /** `detail` completes "It cannot be used: …". */
  | { readonly ok: false; readonly detail: string };

const badNameDetail = `it requires a parameter whose name has line breaks, hidden characters or more than ${maxMemberNameChars} characters`;

/**
 * Returns the parameters of a tool as a JSON Schema object, or why its definition is not read. Never throws. `root` = the
 * document that local references point into.
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

/** Counts the characters of a value as JSON, without escapes, until there are more than `maxChars`. */
function countJsonChars(value: unknown, maxChars: number): number {
  let chars = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && chars <= maxChars) {
    const one = open.pop();
    if (typeof one === "string") chars += one.length + 2;
    else if (typeof one !== "object" || one === null) chars += String(one).length;
    else {
      const members: readonly (readonly [name: string, value: unknown])[] = Object.entries(one);
      chars += 2 + members.length;
      for (const [name, member] of members) {
        if (!Array.isArray(one)) chars += name.length + 3;
        open.push(member);
      }
    }
  }
  return chars;
}

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
  const alternatives = [ownValue(schema, "anyOf"), ownValue(schema, "oneOf")].flatMap((list) =>
    isUnknownList(list) && list.length > 0 ? [joinNodes(list.map(read))] : [],
  );
  const required = readRequired(schema);
  reading.needsBadName ||= required.some((name) => !isMemberName(name));
  return mergeNodes([
    { ...readRemarks(schema), required },
    ...readValues(schema),
    ...readTypes(schema, read),
    ...readReference(schema, reading, references, level),
    ...listOf(ownValue(schema, "allOf")).map(read),
    ...alternatives,
  ]);
}

/** Characters that are read in a schema itself, without its parts. */
const countOwnChars = (schema: SchemaRecord): number =>
  32 +
  ["description", "$ref", "required", "type", "enum", "const"].reduce(
    (sum, keyword) => sum + countJsonChars(ownValue(schema, keyword) ?? 0, maxSchemaChars),
    0,
  ) +
  Object.keys(toRecord(ownValue(schema, "properties"))).reduce((sum, name) => sum + name.length, 0);

const toRecord = (value: unknown): SchemaRecord => (isRecord(value) ? value : {});

/** A value whose members are not read. */
const cutNode = (schema: unknown): SchemaNode =>
  isRecord(schema) && (ownValue(schema, "type") === "object" || isRecord(ownValue(schema, "properties")))
    ? { ...anyNode, type: "object", properties: new Map() }
    : anyNode;

function readRemarks(schema: SchemaRecord): SchemaNode {
  const description = ownValue(schema, "description");
  return {
    ...anyNode,
    description: typeof description === "string" ? firstSentence(description, maxDescriptionChars) : "",
    isNullable: ownValue(schema, "nullable") === true,
  };
}

/** The names of required members; the oldest drafts say it in the members. */
const readRequired = (schema: SchemaRecord): readonly string[] => [
  ...listOf(ownValue(schema, "required")).filter((name) => typeof name === "string"),
  ...membersOf(schema).flatMap(([name, one]) => (isRecord(one) && ownValue(one, "required") === true ? [name] : [])),
];

const membersOf = (schema: SchemaRecord): readonly (readonly [name: string, member: unknown])[] =>
  Object.entries(toRecord(ownValue(schema, "properties"))).filter(([name]) => name !== "__proto__");

const isEnumValue = (value: unknown): value is EnumValue =>
  typeof value === "string" || (typeof value === "number" && Number.isFinite(value));

/** Reads the enumerated values. Lists and objects among them are not compared: then the type decides. */
function readValues(schema: SchemaRecord): readonly SchemaNode[] {
  const all = Object.hasOwn(schema, "const") ? [schema.const] : listOf(ownValue(schema, "enum"));
  const isNullable = all.includes(null);
  const values = [...new Set(all.filter(isEnumValue))];
  const nodes: readonly SchemaNode[] = [
    ...(values.length === 0 ? [] : [{ ...anyNode, type: "enum" as const, values }]),
    ...(all.some((value) => typeof value === "boolean") ? [{ ...anyNode, type: "boolean" as const }] : []),
  ];
  if (all.length === 0) return [];
  return all.some((value) => typeof value === "object" && value !== null)
    ? [{ ...anyNode, isNullable }]
    : [{ ...joinNodes(nodes), isNullable }];
}

/** Reads the type or types; without one, members or items imply it. */
function readTypes(schema: SchemaRecord, read: (part: unknown) => SchemaNode): readonly SchemaNode[] {
  const written = ownValue(schema, "type");
  const types = (isUnknownList(written) ? written : [written]).map((type) =>
    isRecord(type) ? type : String(type).toLowerCase(),
  );
  const implied = isRecord(ownValue(schema, "properties"))
    ? ["object"]
    : ["items", "prefixItems"].some((keyword) => Object.hasOwn(schema, keyword))
      ? ["array"]
      : [];
  const distinct = [...new Set(written === undefined ? implied : types)];
  const nodes = distinct.flatMap((type) => (type === "null" ? [] : [readType(type, schema, read)]));
  if (distinct.length === 0) return [];
  return [{ ...joinNodes(nodes), ...(distinct.includes("null") && { isNullable: true }) }];
}

function readType(type: unknown, schema: SchemaRecord, read: (part: unknown) => SchemaNode): SchemaNode {
  switch (type) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return { ...anyNode, type };
    case "array":
      return { ...anyNode, type: "array", items: readItems(schema, read) };
    case "object":
      return readObject(schema, read);
    default:
      return isRecord(type) ? read(type) : anyNode;
  }
}

/** Reads the items of a list; a list of schemas describes them by place. */
function readItems(schema: SchemaRecord, read: (part: unknown) => SchemaNode): SchemaNode {
  const items = ownValue(schema, "items");
  const byPlace = isUnknownList(items) ? items : listOf(ownValue(schema, "prefixItems"));
  return byPlace.length > 0 ? joinNodes(byPlace.map(read)) : read(items);
}

function readObject(schema: SchemaRecord, read: (part: unknown) => SchemaNode): SchemaNode {
  const members = membersOf(schema).filter(([name]) => isMemberName(name));
  return { ...anyNode, type: "object", properties: new Map(members.map(([name, one]) => [name, read(one)])) };
}

/** Reads the target of a reference into the same definition. A target that contains the reference is cut. */
function readReference(
  schema: SchemaRecord,
  reading: Reading,
  references: readonly string[],
  level: number,
): readonly SchemaNode[] {
  const pointer = ownValue(schema, "$ref");
  if (typeof pointer !== "string") return [];
  const target = findPointerTarget(reading.root, pointer);
  const isCut = references.includes(pointer) || references.length >= maxReferences || pointer === "#";
  return [isCut ? cutNode(target) : readNode(target, reading, [...references, pointer], level)];
}
