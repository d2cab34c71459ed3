"use client";
/** The way to a tab of the settings, beside a sentence that says why one goes there. */
import { useWords } from "@/components/words/words";
import { classes } from "../ui/classes";

export interface SettingsLinkProps {
  readonly tab: "model" | "connections";
  readonly className?: string;
}

export function SettingsLink({ tab, className }: SettingsLinkProps) {
  const { chat } = useWords();
  return (
    <a
      href={`/settings/${tab}`}
      className={classes(
        "font-medium whitespace-nowrap text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-current",
        className,
      )}
    >
      {tab === "model" ? chat.modelSettings : chat.connectionSettings}
    </a>
  );
}
