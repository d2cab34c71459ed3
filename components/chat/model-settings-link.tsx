"use client";
/** The way to the model's settings, beside a sentence that says why one goes there. */
import { useWords } from "@/components/words/words";
import { classes } from "../ui/classes";

export function ModelSettingsLink({ className }: { readonly className?: string }) {
  return (
    <a
      href="/settings/model"
      className={classes(
        "font-medium whitespace-nowrap text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-current",
        className,
      )}
    >
      {useWords().chat.modelSettings}
    </a>
  );
}
