/** An error of a server: its sentence with the next step, and on demand what the server or the system wrote. */
import type { AgentError } from "@/lib/events/error";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { Disclosure } from "../item-section/disclosure";
import { ForeignText } from "../item-section/foreign-text";
import { mcpErrorDetails, mcpErrorText } from "./mcp-error-text";

export function McpError({ error }: { readonly error: AgentError }) {
  const messages = useFullMessages();
  const details = mcpErrorDetails(error);
  return (
    <div className="text-small">
      <p role="alert" className="text-danger [overflow-wrap:anywhere]">
        <VisibleText text={mcpErrorText(error, messages)} names={messages.common.hidden} />
      </p>
      {details !== "" && (
        <Disclosure title={messages.common.details} className="mt-0.5">
          <ForeignText mono text={details} label={messages.common.details} />
        </Disclosure>
      )}
    </div>
  );
}
