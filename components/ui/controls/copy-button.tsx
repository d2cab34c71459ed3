"use client";
/** Button that copies a text. Also works on plain HTTP, where the Clipboard API is unavailable. */
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton, type IconButtonProps } from "./icon-button";

/** Returns true if the text is in the clipboard. Never throws. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Without permission, the execCommand fallback may still work.
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

interface CopyButtonProps extends Omit<IconButtonProps, "icon" | "onClick"> {
  /** Called on press, so that a long text is built only when needed. */
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
