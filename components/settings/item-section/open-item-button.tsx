"use client";
/** Button in a list that opens the page of its item. It gets the focus again when that page is closed. */
import type { ComponentProps } from "react";
import { classes } from "../../ui/theme/classes";
import { openItem } from "./open-item";

interface OpenItemButtonProps extends Omit<ComponentProps<"button">, "type" | "onClick"> {
  /** Name of the item in the address. */
  readonly item: string;
  /** Default: its row is the area to press. */
  readonly look?: "row" | "link";
}

const looks = {
  row: "min-w-0 text-left font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent",
  link: "rounded-control text-left hover:underline max-tablet:min-h-11",
} as const;

export const OpenItemButton = ({ item, look = "row", className, ...rest }: OpenItemButtonProps) => (
  <button
    type="button"
    data-item={item}
    onClick={() => openItem(item)}
    className={classes(looks[look], className)}
    {...rest}
  />
);
