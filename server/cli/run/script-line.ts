/** A line of `run --stdin`: a request of a script, as JSON. */
import * as z from "zod/mini";
import type { ApprovalId } from "@/lib/events/id";
import type { ErrorCode } from "@/lib/events/error";
import { brandedId } from "@/lib/protocol/command-input";
import { limits } from "@/lib/settings/settings";
import { parseJson } from "@/server/base/parse-json";
import { printable } from "../arguments/options";

const reasonMaxChars = 2_000;
const text = z.string().check(z.maxLength(limits.promptMaxChars), z.regex(/\S/));

const requests = {
  prompt: z.object({ type: z.literal("prompt"), text }),
  steer: z.object({ type: z.literal("steer"), text }),
  follow_up: z.object({ type: z.literal("follow_up"), text }),
  answer: z.object({
    type: z.literal("answer"),
    approvalId: brandedId<ApprovalId>(),
    option: z.enum(["once", "deny"]),
    reason: z.optional(z.string().check(z.maxLength(reasonMaxChars))),
  }),
  abort: z.object({ type: z.literal("abort") }),
} as const;
const request = z.discriminatedUnion("type", [
  requests.prompt,
  requests.steer,
  requests.follow_up,
  requests.answer,
  requests.abort,
]);

export type ScriptRequest = z.infer<typeof request>;

/** Why a line had no effect, as it is printed. */
export interface ScriptError {
  readonly code: ErrorCode;
  readonly message: string;
}

const expectedFields: Readonly<Record<string, string>> = {
  text: `a text that is not blank, of at most ${limits.promptMaxChars} characters`,
  approvalId: "the approvalId of an approval_request",
  option: "once or deny",
  reason: `a text of at most ${reasonMaxChars} characters`,
};

/** Parses a line. */
export function parseScriptLine(line: string): ScriptRequest | ScriptError {
  const value = parseJson(line);
  if (value === undefined) return badInput("the line is not JSON");
  const parsed = request.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = String(parsed.error.issues[0]?.path[0] ?? "type");
  const expected = expectedFields[field];
  if (expected !== undefined) return badInput(`${field} has to be ${expected}`);
  return badInput(
    `the line has to be an object whose type is one of ${Object.keys(requests).join(", ")}${nameType(value)}`,
  );
}

const badInput = (message: string): ScriptError => ({ code: "bad_input", message });

const typed = z.object({ type: z.string() });

function nameType(value: unknown): string {
  const { data } = typed.safeParse(value);
  return data === undefined ? "" : `, not ${printable(data.type.slice(0, 40))}`;
}
