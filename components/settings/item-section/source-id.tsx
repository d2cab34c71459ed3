/** The id of a server or an API, with which the names of its tools begin; nothing where it is the name itself. */
import { useFullMessages } from "../../messages/full-messages";

interface SourceIdProps {
  readonly id: string;
  readonly name: string;
}

export function SourceId({ id, name }: SourceIdProps) {
  const { mcp: text } = useFullMessages();
  return id === name ? null : (
    <code title={text.idNote} className="font-mono text-small text-ink-muted [overflow-wrap:anywhere]">
      {id}
    </code>
  );
}
