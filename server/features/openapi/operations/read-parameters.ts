/** Reads the parameters of an operation: what they are called in a request, and how their values are written. Pure. */
import { isRecord } from "@/lib/events/content";
import { weakMemo } from "@/server/base/weak-memo";
import { type DocumentObject, listOf, memberOf, objectOf, textOf } from "../document/document-value";
import { isCookieName, isHeaderName, isOwnHeader } from "../document/header-names";
import { attemptRead, type makeReferenceCheck, resolveReference, SkippedOperation } from "../document/references";
import type { ParameterStyle } from "./operation";

type ParameterPlace = "path" | "query" | "header" | "cookie";

export interface Parameter {
  readonly in: ParameterPlace;
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly isReserved: boolean;
  readonly isRequired: boolean;
  /** With the description of the parameter. */
  readonly schema: DocumentObject;
}

const styles: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

const isPlace = (place: string): place is ParameterPlace => Object.hasOwn(styles, place);

type References = ReturnType<typeof makeReferenceCheck>;

/**
 * Returns a function that returns the parameters of an operation in their order; those of the operation replace those of
 * its path. It throws SkippedOperation if one that is required cannot be sent; others that cannot are left out. A parameter
 * that many operations share is read once.
 */
export function makeParameterReader(root: DocumentObject, checkReferences: References) {
  const readOnce = weakMemo((written: DocumentObject) => attemptRead(() => readParameter(written, checkReferences)));
  return (lists: readonly unknown[], path: string): readonly Parameter[] => {
    const found = new Map<string, Parameter>();
    for (const written of lists.flatMap(listOf)) {
      const parameter = readOnce(objectOf(resolveReference(root, written)));
      if (parameter instanceof SkippedOperation) throw parameter;
      if (parameter !== null) found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
    // A document may forget to declare them; without them there is no path.
    for (const name of inPath) if (!found.has(`path ${name}`)) found.set(`path ${name}`, undeclaredParameter(name));
    return [...found.values()].filter((one) => one.in !== "path" || inPath.includes(one.name));
  };
}

const undeclaredParameter = (name: string): Parameter => ({
  in: "path",
  name,
  style: "simple",
  explode: false,
  isReserved: false,
  isRequired: true,
  schema: { type: "string" },
});

function readParameter(read: DocumentObject, checkReferences: References): Parameter | null {
  const name = textOf(memberOf(read, "name"));
  const place = textOf(memberOf(read, "in"));
  const isRequired = place === "path" || memberOf(read, "required") === true;
  if (place === "header" && isOwnHeader(name)) return null;
  const leaveOut = (): null => {
    if (isRequired) throw new SkippedOperation("parameter", name.slice(0, 100));
    return null;
  };
  if (name === "" || !isPlace(place)) return leaveOut();
  if ((place === "header" && !isHeaderName(name)) || (place === "cookie" && !isCookieName(name))) return leaveOut();
  const form = readForm(read, place);
  if (form === null) return leaveOut();
  checkReferences(form.schema);
  const description = memberOf(read, "description");
  const schema = {
    ...objectOf(form.schema),
    ...(typeof description === "string" && description.trim() !== "" ? { description } : {}),
  };
  return { in: place, name, isRequired, ...form, schema, isReserved: memberOf(read, "allowReserved") === true };
}

/** null = values of this kind cannot be written. */
function readForm(
  read: DocumentObject,
  place: ParameterPlace,
): { readonly style: ParameterStyle; readonly explode: boolean; readonly schema: unknown } | null {
  const content = memberOf(read, "content");
  if (isRecord(content)) {
    const json = Object.entries(content).find(([type]) => isJsonType(type));
    return json === undefined
      ? null
      : { style: "json", explode: false, schema: memberOf(objectOf(json[1]), "schema") ?? {} };
  }
  const written = memberOf(read, "style");
  // The style of 3.2 for cookies writes what `form` writes in parts.
  const wanted = written === "cookie" && place === "cookie" ? "form" : written;
  const style = wanted === undefined ? styles[place][0] : styles[place].find((one) => one === wanted);
  if (style === undefined) return null;
  const explode = memberOf(read, "explode");
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "deepObject",
    schema: memberOf(read, "schema") ?? {},
  };
}

export const isJsonType = (type: string): boolean =>
  /^(?:application\/(?:[\w.+-]*\+)?json|text\/json|\*\/\*)\s*(?:;|$)/i.test(type.trim());
