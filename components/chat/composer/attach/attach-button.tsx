"use client";
/** Button at the left of the composer's bar: opens the menu that adds to the message. */
import { Plus } from "lucide-react";
import { lazy } from "react";
import { useMessages } from "../../../messages/messages";
import { LazyMenuButton } from "../../../ui/controls/lazy-menu-button";
import { classes } from "../../../ui/theme/classes";
import { pillClass, quietTextClass } from "../pill-class";
import type { AttachMenuProps } from "./attach-menu";

const AttachMenu = lazy(async () => ({ default: (await import("./attach-menu")).AttachMenu }));

export const AttachButton = (props: Pick<AttachMenuProps, "adder" | "paste" | "field" | "isEmpty">) => (
  <LazyMenuButton
    icon={Plus}
    name={useMessages().composer.attach}
    className={classes(pillClass, quietTextClass, "shrink-0 justify-center max-tablet:w-11")}
  >
    {(menu) => <AttachMenu {...props} {...menu} />}
  </LazyMenuButton>
);
