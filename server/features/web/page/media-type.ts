/** The type of an answer. Pure. */

/** Returns a Content-Type without its parameters, in lower case; "" = none. */
export const mediaType = (contentType: string): string => (contentType.split(";")[0] ?? "").trim().toLowerCase();
