/** Values of a parsed document, whose form is not checked. Pure. */
import { isRecord } from "@/lib/events/content";

export type DocumentObject = { readonly [name: string]: unknown };

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** An empty object in place of any other value. */
export const objectOf = (value: unknown): DocumentObject => (isRecord(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (isList(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A member of the object itself, not of its prototype. */
export const memberOf = (object: DocumentObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
