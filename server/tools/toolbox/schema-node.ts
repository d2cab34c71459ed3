/** A reduced JSON Schema while it is built: merging of parts and alternatives, and its form for the model. Pure. */
import type { Json } from "@/lib/events/content";
import type { EnumValue } from "../arguments/parameter-shapes";

type NodeShape =
  | { readonly type: "any" | "string" | "integer" | "number" | "boolean" }
  | { readonly type: "enum"; readonly values: readonly EnumValue[] }
  | { readonly type: "array"; readonly items: SchemaNode }
  | { readonly type: "object"; readonly properties: ReadonlyMap<string, SchemaNode> }
  | { readonly type: "anyOf"; readonly branches: readonly SchemaNode[] };

export type SchemaNode = NodeShape & {
  /** One short line; "" = none. */
  readonly description: string;
  /** Null is a value too, which a model says by leaving the member out. */
  readonly isNullable: boolean;
  /** Names of required members, also of members that another part declares. */
  readonly required: readonly string[];
};

/** Deeper levels are printed as values of any kind. */
export const maxSchemaLevels = 16;
/** The alternatives of an object that would have to be repeated in them beyond this length are left out. */
const maxRepeatedChars = 16_384;

export const anyNode: SchemaNode = { type: "any", description: "", isNullable: false, required: [] };

const noNames: readonly string[] = [];

/** Merges the parts of a value that all apply, in order: the description, type and items of the first part that has them. */
export function mergeNodes(parts: readonly SchemaNode[]): SchemaNode {
  const typed: SchemaNode[] = [];
  let description = "";
  let isNullable = false;
  let required = noNames;
  // One plain loop: a document has thousands of schemas, most of which are one type and remarks.
  for (const part of parts) {
    if (part.type !== "any") typed.push(part);
    if (description === "") description = part.description;
    isNullable ||= part.isNullable;
    if (part.required.length > 0) required = required.length === 0 ? part.required : [...required, ...part.required];
  }
  const common = { description, isNullable, required: required.length < 2 ? required : [...new Set(required)] };
  const [first, second] = typed;
  if (first === undefined) return { type: "any", ...common };
  if (second === undefined) return { ...first, ...common };
  const objects = typed.filter((part) => part.type === "object");
  if (objects.length > 0) {
    const properties = new Map(groupMembers(objects).map(([name, nodes]) => [name, mergeMember(nodes)]));
    const base: ObjectNode = { type: "object", properties, ...common };
    const union = typed.find((part) => part.type === "anyOf");
    return union === undefined ? base : addBranches(base, union.branches);
  }
  return { ...mergeValues(first, typed), ...common };
}

/** A node that was merged before stays as it is: a deep object would be merged again for each of its levels. */
const mergeMember = (nodes: readonly SchemaNode[]): SchemaNode => {
  const [only, ...others] = nodes;
  return only === undefined || others.length > 0 ? mergeNodes(nodes) : only;
};

type ObjectNode = SchemaNode & { readonly type: "object" };

/** The members of all objects by name, in the order in which the names appear. */
function groupMembers(
  objects: readonly ObjectNode[],
): readonly (readonly [name: string, nodes: readonly SchemaNode[]])[] {
  const byName = new Map<string, SchemaNode[]>();
  for (const { properties } of objects)
    for (const [name, node] of properties) {
      const nodes = byName.get(name);
      if (nodes === undefined) byName.set(name, [node]);
      else nodes.push(node);
    }
  return [...byName];
}

/** An object whose alternatives add members. An alternative without a type only requires members of the object. */
function addBranches(base: ObjectNode, branches: readonly SchemaNode[]): SchemaNode {
  const plain = { ...base, description: "" };
  const chars = JSON.stringify(printNode(plain)).length * branches.length;
  if (chars > maxRepeatedChars || branches.every(({ type }) => type !== "object")) return base;
  const { description, isNullable, required } = base;
  const merged = branches.flatMap((branch) =>
    branch.type === "object" ? [mergeNodes([branch, plain])] : branch.type === "any" ? [plain] : [],
  );
  return { ...joinNodes(merged), description, isNullable, required };
}

/** Parts that are no objects: the narrowest of the first part's kind. */
function mergeValues(first: SchemaNode, typed: readonly SchemaNode[]): SchemaNode {
  const lists = typed.flatMap((part) => (part.type === "enum" ? [part.values] : []));
  const [values] = lists;
  if (values !== undefined) {
    const allowed = lists.slice(1).map((one) => new Set(one));
    const common = values.filter((value) => allowed.every((set) => set.has(value)));
    return { ...anyNode, type: "enum", values: common.length > 0 ? common : values };
  }
  if (first.type === "array")
    return {
      ...anyNode,
      type: "array",
      items: mergeNodes(typed.flatMap((part) => (part.type === "array" ? [part.items] : []))),
    };
  return typed.find(({ type }) => first.type === "number" && type === "integer") ?? first;
}

/** Joins alternatives into one node: equal ones are one, and one that is always null makes the others nullable. */
export function joinNodes(branches: readonly SchemaNode[]): SchemaNode {
  const [single, second] = branches;
  if (single !== undefined && second === undefined)
    return single.type === "any" && single.isNullable ? { ...anyNode, isNullable: true } : single;
  const isNullable = branches.some((branch) => branch.isNullable);
  const values = branches.filter((branch) => branch.type !== "any" || !branch.isNullable);
  const [only, ...others] = values.length > 1 ? distinctNodes(values) : values;
  if (only === undefined) return { ...anyNode, isNullable };
  return others.length === 0
    ? { ...only, isNullable, required: findCommonNames(values) }
    : { ...anyNode, type: "anyOf", branches: [only, ...others], isNullable };
}

/** The first node of each printed form. */
function distinctNodes(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const byText = new Map<string, SchemaNode>();
  for (const node of nodes) {
    const text = JSON.stringify(printNode(node));
    if (!byText.has(text)) byText.set(text, node);
  }
  return [...byText.values()];
}

/** The names that every node requires. */
function findCommonNames(nodes: readonly SchemaNode[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { required } of nodes) for (const name of new Set(required)) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times].flatMap(([name, count]) => (count === nodes.length ? [name] : []));
}

/** The object that accepts what any of the alternatives accepts, for a list of parameters; null = not all are objects. */
export function joinToObject(node: SchemaNode): (SchemaNode & { readonly type: "object" }) | null {
  if (node.type === "object") return node;
  if (node.type !== "anyOf") return null;
  const objects = node.branches.flatMap((branch) => joinToObject(branch) ?? []);
  if (objects.length !== node.branches.length) return null;
  return {
    ...anyNode,
    type: "object",
    properties: new Map(groupMembers(objects).map(([name, nodes]) => [name, joinNodes(nodes)])),
    required: findCommonNames(objects),
  };
}

/** Prints a node as JSON Schema, up to `maxSchemaLevels`. */
export function printNode(node: SchemaNode, level = 1): Json {
  if (level > maxSchemaLevels) return {};
  const described: { readonly [name: string]: Json } = node.description === "" ? {} : { description: node.description };
  switch (node.type) {
    case "any":
      return described;
    case "array":
      return { type: "array", ...described, items: printNode(node.items, level + 1) };
    case "object":
      return { ...printObject(node, level), ...described };
    case "anyOf":
      return { anyOf: node.branches.map((branch) => printNode(branch, level + 1)), ...described };
    case "enum": {
      const [type, other] = new Set(node.values.map((value) => typeof value));
      return {
        ...(other === undefined && { type: type === "number" ? type : "string" }),
        enum: node.values,
        ...described,
      };
    }
    default:
      return { type: node.type, ...described };
  }
}

/** Prints an object. Required names without a member are dropped, and those of members that may be null. */
function printObject({ properties, required }: ObjectNode, level: number): { readonly [name: string]: Json } {
  const needed = required.filter((name) => properties.get(name)?.isNullable === false);
  return {
    type: "object",
    properties: Object.fromEntries([...properties].map(([name, one]) => [name, printNode(one, level + 1)])),
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}
