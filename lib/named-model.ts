/** Reads the name of a model as it is typed on a command line. Pure; used by the command line and by sessions that take its model. */
import type { Connection, ModelInfo } from "./models";

export interface NamedModel {
  readonly name: string;
  /** A connection's id; absent = Ollama. */
  readonly connection?: string;
}

/** As the commands take it. */
export const modelInput = ({
  name,
  ...rest
}: NamedModel): { readonly model: string; readonly connection?: string } => ({
  model: name,
  ...rest,
});

/**
 * `id/model` is a model of the connection with that id, `id` alone the connection's own model (an empty name, where it has none: the
 * first its server lists); every other name is Ollama's.
 * An installed model of that very name goes first.
 */
export function namedModel(
  text: string,
  installed: readonly Pick<ModelInfo, "name">[],
  connections: readonly Pick<Connection, "id" | "model">[],
): NamedModel {
  if (installed.some(({ name }) => name === text)) return { name: text };
  const slash = text.indexOf("/");
  const id = slash < 0 ? text : text.slice(0, slash);
  const connection = connections.find((one) => one.id === id);
  const name = slash < 0 ? connection?.model : text.slice(slash + 1);
  if (connection === undefined || name === undefined || (name === "" && slash >= 0)) return { name: text };
  return { name, connection: id };
}
