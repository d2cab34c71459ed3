"use client";
/** Choice of the theme: a picture of each one in its own colours. */
import { useId } from "react";
import { type Settings, themes } from "@/lib/settings/settings";
import { useFullMessages } from "../messages/full-messages";
import { classes } from "../ui/theme/classes";

interface ThemeChoiceProps {
  readonly value: Settings["theme"];
  readonly onChange: (theme: Settings["theme"]) => void;
}

export function ThemeChoice({ value, onChange }: ThemeChoiceProps) {
  const { label, choices: names } = useFullMessages().appSections.appearance.fields.theme;
  const group = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3 max-tablet:grid-cols-2"
    >
      {themes.map((theme) => (
        <label
          key={theme}
          className="group relative grid gap-1.5 rounded-card text-ink-muted hover:text-ink has-checked:text-ink"
        >
          <input
            type="radio"
            name={group}
            value={theme}
            checked={theme === value}
            onChange={() => onChange(theme)}
            className="absolute inset-0 appearance-none outline-none"
          />
          <span
            aria-hidden
            className="flex h-18 overflow-hidden rounded-card border border-line group-has-checked:outline-2 group-has-checked:outline-offset-1 group-has-checked:outline-accent group-has-focus-visible:outline-2 group-has-focus-visible:outline-offset-3 group-has-focus-visible:outline-accent"
          >
            {theme === "system" ? (
              <>
                <ThemePicture theme="light" />
                <ThemePicture theme="dark" />
              </>
            ) : (
              <ThemePicture theme={theme} />
            )}
          </span>
          {names[theme]}
        </label>
      ))}
    </div>
  );
}

const bar = "h-1.5 rounded-mark";

/** Lines of text, code and a diff. */
const ThemePicture = ({ theme }: { readonly theme: Settings["theme"] }) => (
  <span data-theme={theme} className="grid min-w-0 flex-1 content-center gap-1.5 bg-(--canvas) px-3">
    <span className={classes(bar, "w-2/3 bg-(--ink)")} />
    <span className="flex gap-1">
      <span className={classes(bar, "w-1/4 bg-(--code-token-keyword)")} />
      <span className={classes(bar, "w-1/3 bg-(--code-token-string)")} />
    </span>
    <span className={classes(bar, "w-1/2 bg-(--ink-muted)")} />
    <span className={classes(bar, "w-1/4 bg-(--accent)")} />
  </span>
);
