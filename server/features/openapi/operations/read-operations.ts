/** Reads all operations of a document as tools, with the reasons of those that are none. Runs in the worker. */
import { isJsonObject, isRecord, type Json } from "@/lib/events/content";
import { type ApiSkip, maxApiOperations } from "@/lib/tools/openapi";
import { sortMembers } from "@/lib/tools/sorted-json";
import { computeHash } from "@/server/base/id";
import { weakMemo } from "@/server/base/weak-memo";
import { reduceSchema } from "@/server/tools/toolbox/reduce-schema";
import { type DocumentObject, memberOf, objectOf, textOf } from "../document/document-value";
import type { ParsedDocument } from "../document/parse-document";
import { attemptRead, makeReferenceCheck, resolveReference, SkippedOperation } from "../document/references";
import { readSchemes, readSecurity } from "../document/security-schemes";
import { readAddresses } from "../document/servers";
import type { ApiHead, ApiOperation, ApiScheme, RequestField, RequestPlan } from "./operation";
import { type Body, propertiesOf, readBody } from "./read-body";
import { makeParameterReader, type Parameter } from "./read-parameters";

const maxNameChars = 64;
const hashChars = 6;

const toPlain = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^_+|_+$/g, "");

const cut = (name: string, source: string): string =>
  name.length <= maxNameChars
    ? name
    : `${name.slice(0, maxNameChars - hashChars - 1)}_${computeHash(source).slice(0, hashChars)}`;

function nameOfPath(method: string, path: string): string {
  const words = path
    .split("/")
    .map((part) => toPlain(part.replace(/\{([^}]*)\}/g, "_by_$1_").replace(/_+/g, "_")))
    .filter((word) => word !== "");
  return [method.toLowerCase(), ...words].join("_");
}

/**
 * Names of operations as tools: their sanitised ids, else method and path, as in `get_pets_by_id`. Returns a function
 * that names operations in their order; no two get the same name.
 */
function makeOperationNames(): (method: string, path: string, id: string) => string {
  const taken = new Set<string>();
  return (method, path, id) => {
    const byPath = (): string => cut(nameOfPath(method, path), `${method} ${path}`);
    const plain = toPlain(id);
    const wanted = /[A-Za-z0-9]/.test(plain) ? cut(plain, id) : byPath();
    // Two ids can be the same, or become the same. So can paths: their fragments are not sent.
    let name = taken.has(wanted) ? byPath() : wanted;
    for (let number = 2; taken.has(name); number += 1) name = cut(`${wanted}_${number}`, `${method} ${path} ${number}`);
    taken.add(name);
    return name;
  };
}

interface ReadApi {
  readonly head: ApiHead;
  readonly operations: readonly ApiOperation[];
}

const sentMethods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch"]);
const otherMethods: ReadonlySet<string> = new Set(["trace", "query"]);
const maxDescriptionChars = 2_000;
const maxShownSkips = 500;
/** As JSON: the server reads an operation in one piece. */
const maxOperationChars = 262_144;

interface Reading {
  readonly root: DocumentObject;
  /** Address that the document was read from; null = it is a file or was pasted. */
  readonly base: string | null;
  readonly schemes: readonly ApiScheme[];
  readonly checkReferences: ReturnType<typeof makeReferenceCheck>;
  readonly readParameters: ReturnType<typeof makeParameterReader>;
  reduceParameter(parameter: Parameter): ReducedParameter;
  /** Sorted copies of values that many operations have. */
  readonly sortedParts: WeakMap<object, unknown>;
  readonly nameOf: ReturnType<typeof makeOperationNames>;
}

interface FoundOperation {
  readonly method: string;
  readonly path: string;
  readonly item: DocumentObject;
  readonly operation: DocumentObject;
}

export function readOperations({ root, format }: ParsedDocument, base: string | null): ReadApi {
  const info = objectOf(memberOf(root, "info"));
  const found: FoundOperation[] = [];
  const skipped: ApiSkip[] = [];
  let count = 0;
  const skip = (operation: string, kind: ApiSkip["kind"], detail: string): void => {
    if (skipped.length < maxShownSkips) skipped.push({ operation: operation.slice(0, 300), kind, detail });
  };
  for (const [path, written] of Object.entries(objectOf(memberOf(root, "paths")))) {
    if (!path.startsWith("/")) continue;
    const item = attemptRead(() => objectOf(resolveReference(root, written)));
    if (item instanceof SkippedOperation) {
      count += 1;
      skip(path, item.kind, item.detail);
      continue;
    }
    for (const [method, operation] of methodsOf(item)) {
      count += 1;
      const title = `${method.toUpperCase()} ${path}`;
      if (!sentMethods.has(method)) skip(title, "method", method.toUpperCase());
      else if (found.length >= maxApiOperations) skip(title, "limit", String(maxApiOperations));
      else found.push({ method, path, item, operation });
    }
  }
  const addresses = readAddresses(memberOf(root, "servers"), base);
  const ownAddresses = found.flatMap(({ item, operation }) => ownServers(item, operation, base) ?? []);
  const checkReferences = makeReferenceCheck(root);
  const sortedParts = new WeakMap<object, unknown>();
  const reading: Reading = {
    root,
    base,
    schemes: readSchemes(root),
    checkReferences,
    readParameters: makeParameterReader(root, checkReferences),
    reduceParameter: makeParameterReducer(root, sortedParts),
    sortedParts,
    nameOf: makeOperationNames(),
  };
  const operations = found.flatMap((one): readonly ApiOperation[] => {
    const read = attemptRead(() => readOperation(reading, one));
    if (!(read instanceof SkippedOperation)) return [read];
    skip(`${one.method.toUpperCase()} ${one.path}`, read.kind, read.detail);
    return [];
  });
  const version = memberOf(info, "version") ?? "";
  const head = {
    title: textOf(memberOf(info, "title")).trim().slice(0, 200),
    version: typeof version === "object" ? "" : String(version).slice(0, 40),
    description: textOf(memberOf(info, "description")).slice(0, maxDescriptionChars),
    format,
    // Without addresses of the document, the owner confirms the one of its first operation, or another.
    addresses: addresses.length > 0 ? [...addresses] : ownAddresses.slice(0, 1),
    schemes: [...reading.schemes],
    operations: count,
    skipped,
  };
  return { head, operations };
}

/** Methods in lower case. */
function methodsOf(item: DocumentObject): readonly (readonly [method: string, operation: DocumentObject])[] {
  const own = Object.entries(item).filter(([name]) => sentMethods.has(name) || otherMethods.has(name));
  const additional = Object.entries(objectOf(memberOf(item, "additionalOperations")));
  return [...own, ...additional].flatMap(([name, operation]) =>
    isRecord(operation) ? [[name.toLowerCase(), operation] as const] : [],
  );
}

/** undefined = the addresses of the document; an empty list = addresses that cannot be used. */
function ownServers(item: DocumentObject, operation: DocumentObject, base: string | null) {
  const servers = memberOf(operation, "servers") ?? memberOf(item, "servers");
  return Array.isArray(servers) && servers.length > 0 ? readAddresses(servers, base) : undefined;
}

function readOperation(reading: Reading, { method, path, item, operation }: FoundOperation): ApiOperation {
  const { root, schemes, checkReferences } = reading;
  const security = readSecurity(root, operation);
  const needed = new Set(security.flat());
  const keys = new Set<string>();
  const own = schemes.filter(({ name }) => needed.has(name));
  for (const { place, label } of own) keys.add(placeKey(String(place), label));
  const lists = [memberOf(item, "parameters"), memberOf(operation, "parameters")];
  const pathname = path.split("#", 1)[0] ?? path;
  const parameters = reading.readParameters(lists, pathname).filter(
    // The keys of the owner are not the model's business.
    (one) => !keys.has(placeKey(one.in, one.name)),
  );
  const body = memberOf(operation, "requestBody");
  const flat = flatten(reading, parameters, body === undefined ? null : readBody(root, body, checkReferences));
  const [bare = "", query] = pathname.split("?");
  const addresses = ownServers(item, operation, reading.base);
  if (addresses?.length === 0) throw new SkippedOperation("other_host", "");
  const request: RequestPlan = {
    method: method.toUpperCase(),
    path: bare,
    addresses: addresses === undefined ? undefined : [...addresses],
    query,
    fields: flat.fields,
    body: flat.body,
    security,
    schemes: own,
  };
  const written = textOf(memberOf(operation, "operationId")).trim();
  const named = {
    name: reading.nameOf(method, pathname, written),
    description: describe(item, operation),
    parameters: flat.parameters,
    request,
  };
  const text = JSON.stringify(sortMembers(named, (part) => reading.sortedParts.get(part)));
  if (text.length > maxOperationChars)
    throw new SkippedOperation("schema", `it has ${Math.ceil(text.length / 1_024)} KB`);
  return { ...named, hash: computeHash(text) };
}

/** Names of headers are the same in either case. */
const placeKey = (place: string, name: string): string => `${place} ${place === "header" ? name.toLowerCase() : name}`;

/** The summary, and what the description adds to it. */
function describe(item: DocumentObject, operation: DocumentObject): string {
  const read = (name: string): string =>
    (textOf(memberOf(operation, name)).trim() || textOf(memberOf(item, name)).trim()).slice(0, maxDescriptionChars);
  const [summary, description] = [read("summary"), read("description")];
  if (summary === "" || description.startsWith(summary)) return description;
  const sentence = /[.!?。！？]$/.test(summary) ? summary : `${summary}.`;
  return description === "" ? summary : `${sentence}\n${description}`.slice(0, maxDescriptionChars);
}

interface ReducedParameter {
  /** Absent = it cannot be said; `detail` = why, where that is known. */
  readonly member?: Json;
  readonly detail?: string;
  /** Under its own name. */
  readonly field: RequestField;
}

/** One that many operations share is reduced and sorted once. */
function makeParameterReducer(
  root: DocumentObject,
  sortedParts: WeakMap<object, unknown>,
): (parameter: Parameter) => ReducedParameter {
  return weakMemo(({ in: place, name, style, explode, isReserved, schema }: Parameter) => {
    const plain = { field: name, in: place, name, style, explode };
    const field: RequestField = isReserved ? { ...plain, isReserved } : plain;
    const reduced = reduceSchema({ type: "object", properties: { [name]: schema }, required: [name] }, root);
    if (!reduced.ok) return { detail: reduced.detail, field };
    const members = isJsonObject(reduced.parameters) ? propertiesOf(reduced.parameters) : {};
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member === undefined) return { field };
    for (const part of [member, field])
      if (typeof part === "object" && part !== null) sortedParts.set(part, sortMembers(part));
    return { member, field };
  });
}

interface FlatInput {
  readonly parameters: Json;
  readonly fields: RequestField[];
  readonly body: RequestPlan["body"];
}

/** Puts parameters and members of the body into one object; a name that is taken gets its place before it. */
function flatten(
  { reduceParameter }: Pick<Reading, "reduceParameter">,
  parameters: readonly Parameter[],
  body: Body | null,
): FlatInput {
  const properties = new Map<string, Json>();
  const required: string[] = [];
  const fields: RequestField[] = [];
  const add = (field: RequestField, schema: Json, isRequired: boolean): void => {
    properties.set(field.field, schema);
    if (isRequired) required.push(field.field);
    fields.push(field);
  };
  const freeName = (name: string, place: string): string => {
    let free = properties.has(name) ? `${place}_${name}` : name;
    for (let number = 2; properties.has(free); number += 1) free = `${place}_${name}_${number}`;
    return free;
  };
  for (const parameter of parameters) {
    const { in: place, name, isRequired } = parameter;
    const { member, detail, field } = reduceParameter(parameter);
    if (member !== undefined) {
      const free = freeName(name, place);
      add(free === name ? field : { ...field, field: free }, member, isRequired);
    } else if (isRequired)
      throw detail === undefined
        ? new SkippedOperation("parameter", name.slice(0, 100))
        : new SkippedOperation("schema", detail);
  }
  for (const { name, schema, isRequired, style, explode } of body?.members ?? [])
    add({ field: freeName(name || "body", "body"), in: "body", name, style, explode }, schema, isRequired);
  const whole = body?.members[0]?.name === "" ? fields.at(-1)?.field : undefined;
  return {
    parameters: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    },
    fields,
    body:
      body === null
        ? undefined
        : {
            type: body.type,
            mediaType: body.mediaType,
            whole,
            isRequired: body.isRequired,
          },
  };
}
