/** Says that something works only while the server runs, and how the server starts with the machine. */

interface ServiceNoteProps {
  /** Ends before the command. */
  readonly text: string;
}

/** Typed in a terminal. */
const installCommand = "gopi-web serve --install";

export const ServiceNote = ({ text }: ServiceNoteProps) => (
  <p className="mt-1">
    {text} <code className="font-mono text-code whitespace-nowrap">{installCommand}</code>
  </p>
);
