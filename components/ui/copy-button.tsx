"use client";
/** Copies a text. Works on plain http too, where the clipboard interface is not there. */
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton, type IconButtonProps } from "./icon-button";

/** True when the text is in the clipboard. Never throws. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // No permission: the older way may still work.
  }
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.cssText = "position:fixed;top:0;opacity:0;font-size:16px";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}

const doneMs = 1_500;

export interface CopyButtonProps extends Omit<IconButtonProps, "icon" | "onClick"> {
  /** Asked for when pressed, so that a long text is not made for nothing. */
  readonly text: () => string;
  readonly doneName: string;
}

export function CopyButton({ text, name, doneName, ...rest }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), doneMs);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <IconButton
      icon={done ? Check : Copy}
      name={done ? doneName : name}
      size="small"
      data-done={done || undefined}
      onClick={() => void copyText(text()).then(setDone)}
      {...rest}
    />
  );
}
