/** Lucide icon in the standard size and stroke width. Decorative unless it has a label. */
import type { LucideIcon, LucideProps } from "lucide-react";

interface IconProps extends Omit<LucideProps, "ref"> {
  readonly of: LucideIcon;
  /** Accessible name; without one the icon is hidden from screen readers. */
  readonly label?: string;
}

export function Icon({ of: Drawing, label, size = 16, strokeWidth = 1.5, className, ...rest }: IconProps) {
  const named = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <Drawing size={size} strokeWidth={strokeWidth} className={`shrink-0 ${className ?? ""}`} {...named} {...rest} />
  );
}
