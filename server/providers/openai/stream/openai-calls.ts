/**
 * Assembles streamed tool call fragments in the forms servers really send: by index, by id, all under index 0, whole at
 * once, as objects, or as the older function_call. Pure apart from its own state.
 */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { parseCallInput } from "../../wire/request/call-input";
import { lenient, optionalCount, optionalText } from "../../wire/lenient-fields";
import type { ModelPart } from "../../provider";

/** Usually text; anything else comes from JSON.parse. */
const argumentsSchema = z.optional(z.custom<Json>());

export const legacyCallSchema = z.object({ name: optionalText, arguments: argumentsSchema });
export const callSchema = z.object({
  index: optionalCount,
  id: optionalText,
  function: lenient(legacyCallSchema),
});
export type CallFragment = z.infer<typeof callSchema>;
type InputPart = Extract<ModelPart, { type: "input" }>;

interface OpenCall {
  /** As numbered by the server; undefined = it does not number calls. */
  readonly index: number | undefined;
  id: string;
  name: string;
  input: string;
  nesting: Nesting;
}

/** Bracket depth and string state at the end of an input. Each piece is scanned once. */
interface Nesting {
  readonly depth: number;
  readonly quoted: boolean;
  /** The next character is escaped by a backslash. */
  readonly escaped: boolean;
}
const outside: Nesting = { depth: 0, quoted: false, escaped: false };

function advanceNesting({ depth, quoted, escaped }: Nesting, piece: string): Nesting {
  let escapedAt = escaped ? 0 : -1;
  for (const { 0: sign, index } of piece.matchAll(/["\\{}[\]]/g)) {
    if (index === escapedAt) continue;
    if (sign === "\\") escapedAt = quoted ? index + 1 : -1;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted) depth += sign === "{" || sign === "[" ? 1 : -1;
  }
  return { depth, quoted, escaped: escapedAt === piece.length };
}

const isCompleteCall = ({ input, nesting: { depth, quoted } }: OpenCall): boolean =>
  depth === 0 && !quoted && input.trimEnd().endsWith("}") && typeof parseCallInput(input) === "object";

/** A quote that is not escaped makes all text behind it look quoted: then a closed string before the last braces decides. */
const endsLikeObject = (input: string): boolean =>
  (input.trimStart().startsWith("{'") ? /'[\s\]}]*\}$/ : /(?<!\\)"[\s\]}]*\}$/).test(input.trimEnd());

/** Whether a fragment starts a new call: by its id, by its name, or because the open call is complete. */
function startsNewCall(open: OpenCall, id: string, name: string, argumentsText: string): boolean {
  const isNamed = name !== "" && open.name !== "";
  if (id !== "" && open.id !== "") return isNamed && id !== open.id;
  if (isNamed && name !== open.name) return true;
  return (isNamed || argumentsText.trimStart().startsWith("{")) && argumentsText.trim() !== "" && isCompleteCall(open);
}

export function makeCallAssembler() {
  const calls: OpenCall[] = [];

  function openCall({ index }: CallFragment, id: string): OpenCall | undefined {
    if (index !== undefined) return calls.findLast((call) => call.index === index);
    return calls.findLast((call) => id !== "" && call.id === id) ?? calls.at(-1);
  }

  return {
    /** The input of the newest call ends within a string or, if the server did not tell why it ended, within any value. */
    isCut(hasReason: boolean): boolean {
      const call = calls.at(-1);
      if (call === undefined || call.input.trim() === "") return false;
      return call.nesting.quoted ? !endsLikeObject(call.input) : !hasReason && !isCompleteCall(call);
    },
    /** Returns the parts of one fragment; `fit` cuts its text to the remaining limit. */
    take(fragment: CallFragment, fit: (text: string) => string): readonly InputPart[] {
      const id = fragment.id ?? "";
      const rawArguments = fragment.function?.arguments ?? "";
      const input = typeof rawArguments === "string" ? rawArguments : JSON.stringify(rawArguments);
      const open = openCall(fragment, id);
      const isNew = open === undefined || startsNewCall(open, id, fragment.function?.name ?? "", input);
      const call = isNew ? { index: fragment.index, id: "", name: "", input: "", nesting: outside } : open;
      if (isNew) calls.push(call);
      // Some servers omit the name of a second call of the same tool.
      const name = (fragment.function?.name ?? "") || (isNew ? (open?.name ?? "") : "");
      const isNamed = call.name === "" && name !== "";
      if (call.id === "") call.id = id;
      if (isNamed) call.name = name;
      const piece = fit(input);
      call.input += piece;
      call.nesting = advanceNesting(call.nesting, piece);
      if (!isNamed && piece === "") return [];
      return [{ type: "input", index: calls.indexOf(call), name: isNamed ? name : undefined, text: piece }];
    },
    /** Returns the complete calls, in the order they began. */
    complete: (): readonly ModelPart[] =>
      calls.map(({ id, name, input }) => ({
        type: "call",
        id: id || undefined,
        name,
        input: parseCallInput(input),
      })),
  };
}
