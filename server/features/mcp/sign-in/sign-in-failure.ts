/** Why a user could not be signed in to a server. */
import { type AgentError, fail } from "@/lib/events/error";
import type { Reasoned, SignInReason } from "@/lib/events/error-reasons";

export const failSignIn = (problem: Reasoned<SignInReason>) =>
  problem.reason === "sign_in_state" ? fail("not_found", undefined, problem) : fail("tool_failed", undefined, problem);

/** A failure inside code that can only throw. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  constructor(readonly error: AgentError) {
    super(error.code);
  }
}
