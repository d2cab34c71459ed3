"use client";
/** Says that automations need the server, and how it starts with the machine. */
import { useFullMessages } from "../../messages/full-messages";

export function ServiceNote() {
  const { automations: text } = useFullMessages();
  return (
    <p className="mt-1">
      {text.onlyWhileServed} <code className="font-mono text-code whitespace-nowrap">{text.installService}</code>
    </p>
  );
}
