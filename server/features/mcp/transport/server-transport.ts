/** Declares a transport to an MCP server: what the client needs, its log, and the cause of its failure. */
import type { Transport } from "@modelcontextprotocol/client";
import type { AgentError } from "@/lib/events/error";
import type { SecretMask } from "@/server/security/redaction/mask-secrets";
import type { Redactor } from "@/server/security/redaction/redact";

export interface ServerTransport extends Transport {
  /** Id of the process and of its group; null before the start. Absent without a process. */
  readonly pid?: number | null;
  /** Masks the secrets that the server has now. */
  redactor(): Redactor;
  /** Masks them in results and lists; nothing that only looks like a secret. */
  mask(): SecretMask;
  /** The last lines beside the protocol, masked. */
  log(max?: number): readonly string[];
  /** Why it ended by itself or could not be started; null = it runs, or was ended from here. */
  failure(): AgentError | null;
  /** The first line of its output that is not MCP, masked; null = there was none, or it has sent a message. */
  strayLine(): string | null;
}
