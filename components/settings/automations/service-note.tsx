"use client";
/** Says that automations need the server, and how it starts with the machine. */
import { useFullMessages } from "../../messages/full-messages";

/** Typed in a terminal. */
const installCommand = "gopi-web serve --install";

export function ServiceNote() {
  const { automations: text } = useFullMessages();
  return (
    <p className="mt-1">
      {text.onlyWhileServed} <code className="font-mono text-code whitespace-nowrap">{installCommand}</code>
    </p>
  );
}
