/** Connections that use Ollama's native API. */
import type { Connection } from "./models";

/** Preset id of these connections. */
export const ollamaPreset = "ollama";

export const isOllamaConnection = ({ preset }: Pick<Connection, "preset">): boolean => preset === ollamaPreset;
