/** The HTTP request of a call. */
import type { CommandName } from "./command";

/** Request of a call over HTTP. */
export interface CallRequest {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** Builds the request. An imported file follows its command unencoded, so that the server can read it line by line. */
export function toCallRequest(name: CommandName, input: object): CallRequest {
  if (name === "session.import" && "text" in input && typeof input.text === "string") {
    const { text, ...command } = input;
    return { path: "/api/import", type: "application/x-ndjson", body: `${JSON.stringify(command)}\n${text}` };
  }
  return { path: "/api/call", type: "application/json", body: JSON.stringify({ name, input }) };
}
