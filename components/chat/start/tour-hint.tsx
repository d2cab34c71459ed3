"use client";
/** Shows the commands that start the tour, which needs no model. */
import { useFullMessages } from "../../messages/full-messages";

/** In a clone, and as a package. */
const startCommands = ["npm start -- --demo", "gopi-web --demo"];

export function TourHint() {
  return (
    <p className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-ink-muted">
      {useFullMessages().firstRun.tour}
      {startCommands.map((command) => (
        <code key={command} className="text-code whitespace-nowrap text-ink">
          {command}
        </code>
      ))}
    </p>
  );
}
