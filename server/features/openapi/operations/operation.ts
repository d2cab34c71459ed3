/** Declares the content of a document: the API and its operations, as they are stored in the home. */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { asId, type Hash } from "@/lib/events/id";
import { apiSkipKinds } from "@/lib/tools/openapi";

const parameterStyles = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
  /** The value as JSON. */
  "json",
] as const;
export type ParameterStyle = (typeof parameterStyles)[number];

/** Place of an input field in the request. */
const fieldSchema = z.object({
  /** Its name in the input. */
  field: z.string(),
  in: z.enum(["path", "query", "header", "cookie", "body"]),
  /** Its name in the request. */
  name: z.string(),
  style: z.enum(parameterStyles),
  explode: z.boolean(),
  /** Reserved characters of a query are sent as they are. */
  isReserved: z.optional(z.boolean()),
});
export type RequestField = z.infer<typeof fieldSchema>;

const bodySchema = z.object({
  type: z.enum(["json", "form", "multipart", "text"]),
  mediaType: z.string(),
  /** The field that is the whole body; absent = the fields in the body are its members. */
  whole: z.optional(z.string()),
  isRequired: z.boolean(),
});

const schemeSchema = z.object({
  name: z.string(),
  place: z.nullable(z.enum(["header", "query", "cookie", "basic", "bearer"])),
  label: z.string(),
});
export type ApiScheme = z.infer<typeof schemeSchema>;

const requestSchema = z.object({
  method: z.string(),
  /** Begins with a slash; parameters in braces. */
  path: z.string(),
  /** Its own addresses, absolute and without the final slash; absent = it has the API's address. */
  addresses: z.optional(z.array(z.string())),
  /** Path of the operation's own address, at the host of the API's address; only operations of older versions have it. */
  basePath: z.optional(z.string()),
  /** Part of the query that is the same in each request, encoded. */
  query: z.optional(z.string()),
  fields: z.array(fieldSchema),
  body: z.optional(bodySchema),
  /** Alternatives: names of the schemes of which each needs a key. An empty list needs none. */
  security: z.array(z.array(z.string())),
  /** Places of those keys in a request; absent in operations of older versions, which have those of their document. */
  schemes: z.optional(z.array(schemeSchema)),
});
export type RequestPlan = z.infer<typeof requestSchema>;

/** Part of a text that was parsed as JSON: to look at every value again would take most of the time. */
const parsedJson = z.custom<Json>((value) => value !== undefined);

/** Operation that an approval is for: `hash` is that of all the other members. */
export const operationSchema = z.object({
  /** Unique in the document. */
  name: z.string(),
  description: z.string(),
  /** JSON Schema object in the subset of `parameter-shapes.ts`. */
  parameters: parsedJson,
  request: requestSchema,
  hash: z.pipe(
    z.string(),
    z.transform((text: string): Hash => asId<Hash>(text)),
  ),
});
export type ApiOperation = z.infer<typeof operationSchema>;

export const apiHeadSchema = z.object({
  title: z.string(),
  version: z.string(),
  format: z.string(),
  description: z.string(),
  /** Absolute addresses of http or https, without the final slash. */
  addresses: z.array(z.string()),
  schemes: z.array(schemeSchema),
  operations: z.number(),
  skipped: z.array(z.object({ operation: z.string(), kind: z.enum(apiSkipKinds), detail: z.string() })),
});
export type ApiHead = z.infer<typeof apiHeadSchema>;
