"use client";
import { type RefObject, useLayoutEffect, useRef } from "react";

/** Returns the reference of a dialog element that is modal as long as the calling component is mounted. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return dialog;
}
