/** Connections that speak Ollama's own API. Pure; used by the server and the page. */
import type { Connection } from "./models";

/** The preset of these connections. */
export const ollamaPreset = "ollama";

export const isOllamaConnection = ({ preset }: Pick<Connection, "preset">): boolean => preset === ollamaPreset;
