/** Why a user could not be signed in to a server. */
import { type AgentError, fail } from "@/lib/events/error";

/**
 * sign_in_state = the return address is of no sign-in that runs: it is used, older than ten minutes, or of another one;
 * sign_in_denied = the user or the authorization server refused; sign_in_unsupported = the server offers no sign-in that
 * can be used without a client id; sign_in_address = `host` is not used, because its address is neither https nor loopback,
 * or is private while that of the server is not; sign_in_issuer = the answer is from another authorization server than the
 * one that was asked, or its metadata name the `issuer` in place of the `expected` one; sign_in_resource = the server's
 * page about its sign-in is for `resource`, another server; sign_in_port = the port of the return address is in use; sign_in_failed = anything else.
 */
export type SignInReason =
  | "sign_in_state"
  | "sign_in_denied"
  | "sign_in_unsupported"
  | "sign_in_address"
  | "sign_in_issuer"
  | "sign_in_resource"
  | "sign_in_port"
  | "sign_in_failed";

export function failSignIn(
  reason: SignInReason,
  facts: AgentError["facts"] = {},
  detail?: string,
): { readonly ok: false; readonly error: AgentError } {
  return fail(reason === "sign_in_state" ? "not_found" : "tool_failed", detail, { reason, ...facts });
}

/** A failure inside code that can only throw. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  constructor(readonly error: AgentError) {
    super(error.code);
  }
}
