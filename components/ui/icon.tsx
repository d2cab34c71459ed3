/** One lucide icon in the house's size and stroke. Decoration unless it has a label. */
import type { LucideIcon, LucideProps } from "lucide-react";

export interface IconProps extends Omit<LucideProps, "ref"> {
  readonly of: LucideIcon;
  /** Its name for screen readers; without one it is hidden from them. */
  readonly label?: string;
}

export function Icon({ of: Drawing, label, size = 16, strokeWidth = 1.5, className, ...rest }: IconProps) {
  const named = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <Drawing size={size} strokeWidth={strokeWidth} className={`shrink-0 ${className ?? ""}`} {...named} {...rest} />
  );
}
