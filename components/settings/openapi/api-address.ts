/** The page of an API in the hash of the settings' URL. Pure. */

const prefix = "api/";

export const formatApiAddress = (id: string): string => prefix + id;

/** Null = another address. */
export const parseApiAddress = (address: string | null): string | null =>
  address?.startsWith(prefix) === true ? address.slice(prefix.length) : null;
