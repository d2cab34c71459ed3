"use client";
/** Button at the left of the composer's bar: opens the menu that adds to the message. */
import { Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { useMessages } from "../../../messages/messages";
import { Icon } from "../../../ui/indicators/icon";
import { useFloatingButton } from "../../../ui/overlays/use-floating-button";
import { classes } from "../../../ui/theme/classes";
import { pillClass, quietTextClass } from "../pill-class";
import type { AttachMenuProps } from "./attach-menu";

const AttachMenu = lazy(async () => ({ default: (await import("./attach-menu")).AttachMenu }));

export function AttachButton(props: Pick<AttachMenuProps, "adder" | "field" | "isEmpty">) {
  const { id, anchor, isOpen, close, attributes } = useFloatingButton("menu");
  const name = useMessages().composer.attach;
  return (
    <>
      <button
        {...attributes}
        ref={anchor}
        aria-label={name}
        className={classes(pillClass, quietTextClass, "shrink-0 justify-center max-tablet:w-11")}
      >
        <Icon of={Plus} />
      </button>
      <Suspense>{isOpen && <AttachMenu {...props} id={id} anchor={anchor} onClose={close} />}</Suspense>
    </>
  );
}
