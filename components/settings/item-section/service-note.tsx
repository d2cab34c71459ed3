/** Says that something works only while the server runs, and how the server starts with the machine. */
import { isOfHub } from "../../state/base-path";

interface ServiceNoteProps {
  /** Ends before the command. */
  readonly text: string;
}

/** Typed in a terminal. */
const installCommand = "gopi-web serve --install";

/** Nothing where a hub starts the server. */
export const ServiceNote = ({ text }: ServiceNoteProps) =>
  isOfHub() ? null : (
    <p className="mt-1">
      {text} <code className="font-mono text-code whitespace-nowrap">{installCommand}</code>
    </p>
  );
