/** Use of the conversation that a server holds by the next request. */

/**
 * continues = the model, still loaded, read last what the request begins with, or differs from in its last message alone, so that the
 * server has little to read. A request that
 * leaves out its end has as little to read afterwards, unless the model cannot return to an earlier state. replaces = the server
 * holds another conversation, and only one. unknown = none is known to be there. busy = a request uses the server.
 */
export type CacheUse = "continues" | "replaces" | "unknown" | "busy";
