/** Parses model names typed on the command line. */
import type { Connection, ModelInfo } from "./models";

export interface ParsedModelName {
  readonly name: string;
  /** A connection's id; absent = Ollama. */
  readonly connection?: string;
}

/** Converts to the input fields of the commands. */
export const toModelInput = ({
  name,
  ...rest
}: ParsedModelName): { readonly model: string; readonly connection?: string } => ({
  model: name,
  ...rest,
});

/**
 * Parses a model name. `id/model` is a model of the connection `id`; `id` alone is the connection's model (an empty
 * name if it has none: the first one its server lists); any other name is an Ollama model. An installed model with
 * exactly this name has priority.
 */
export function parseModelName(
  text: string,
  installed: readonly Pick<ModelInfo, "name">[],
  connections: readonly Pick<Connection, "id" | "model">[],
): ParsedModelName {
  if (installed.some(({ name }) => name === text)) return { name: text };
  const slash = text.indexOf("/");
  const id = slash < 0 ? text : text.slice(0, slash);
  const connection = connections.find((one) => one.id === id);
  const name = slash < 0 ? connection?.model : text.slice(slash + 1);
  if (connection === undefined || name === undefined || (name === "" && slash >= 0)) return { name: text };
  return { name, connection: id };
}
