/** Reads the query of a request's address. */
export const parseQuery = (url = ""): URLSearchParams => new URLSearchParams(url.split("?").slice(1).join("?"));
