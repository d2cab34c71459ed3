/** Why a call of a tool of another program failed, where the sentence of `errors` is about something else. */
import type { ErrorCode } from "@/lib/events/error";

export const toolFailures = {
  gone: "This tool isn't offered any more.",
  not_found: "What this call needs wasn't found. It may have been deleted.",
  not_allowed: "This wasn't part of what was allowed.",
  blocked: "This call is blocked.",
  changed_meanwhile: "Something changed in the meantime, so this wasn't done.",
  too_large: "The request or its answer is too large.",
  too_many: "The model made too many calls at once.",
  timeout: "The tool didn't answer in time.",
  exists: "What this call would create exists already.",
  busy: "Another call is still running there.",
  unreadable_file: "A file that this tool needs can't be read.",
  no_permission: "gopi-web has no permission for what this tool needs.",
} satisfies Partial<Record<ErrorCode, string>>;
