/** The header by which a router before several model hosts keeps the requests of a session on one of them. */

/** `name` empty, or no session = no header. */
export const sessionHeaders = (name: string, session: string | undefined): Readonly<Record<string, string>> =>
  name === "" || session === undefined ? {} : { [name.toLowerCase()]: session };
