/** Values that a file in the form of VS Code asks the user for. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";

/** A value that the user enters, used as `${input:id}`. */
export interface ConfigInput {
  readonly id: string;
  readonly description: string;
  readonly isSecret: boolean;
}

export function readInputs(value: Json | undefined): readonly ConfigInput[] {
  const list = Array.isArray(value) ? value.filter(isJsonObject) : [];
  return list.flatMap(({ id, description, password }) =>
    typeof id === "string"
      ? [{ id, description: typeof description === "string" ? description : "", isSecret: password === true }]
      : [],
  );
}
