/** Makes the initial values of a question's form, and the answer from the typed ones. Pure. */
import {
  type ElicitationField,
  type ElicitedContent,
  type ElicitedValue,
  type FieldProblem,
  findFieldProblem,
} from "@/lib/tools/elicitation";

/** A text also for numbers. */
export type TypedValue = string | boolean | readonly string[];

interface TypedValues {
  readonly [name: string]: TypedValue;
}

export const initialValues = (fields: readonly ElicitationField[]): TypedValues =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.kind === "number" ? (field.initial === null ? "" : String(field.initial)) : field.initial,
    ]),
  );

/** The value of a field; undefined = none. A text that is no number is NaN. */
function toValue(field: ElicitationField, typed: TypedValue | undefined): ElicitedValue | undefined {
  if (typed === undefined) return undefined;
  if (field.kind === "number") {
    const text = String(typed).trim();
    return text === "" ? undefined : Number(text);
  }
  if (field.kind === "choices") return typeof typed === "object" && typed.length > 0 ? typed : undefined;
  return typed === "" ? undefined : typed;
}

interface CheckedForm {
  /** By the names of the fields. */
  readonly problems: ReadonlyMap<string, FieldProblem>;
  readonly content: ElicitedContent;
}

export function checkForm(fields: readonly ElicitationField[], typed: TypedValues): CheckedForm {
  const problems = new Map<string, FieldProblem>();
  const values: (readonly [string, ElicitedValue])[] = [];
  for (const field of fields) {
    const value = toValue(field, typed[field.name]);
    const problem = findFieldProblem(field, value);
    if (problem !== null) problems.set(field.name, problem);
    if (value !== undefined) values.push([field.name, value]);
  }
  return { problems, content: Object.fromEntries(values) };
}
