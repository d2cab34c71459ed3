/** Logo of the product. */
import { classes } from "../../ui/theme/classes";

const logoLetter = "g";

export function Logo({ large = false }: { readonly large?: boolean }) {
  return (
    <span
      aria-hidden
      className={classes(
        "grid shrink-0 place-items-center bg-ink font-mono leading-none font-semibold text-canvas select-none",
        large ? "size-10 rounded-[11px] text-[24px]" : "size-[18px] rounded-[5px] text-small",
      )}
    >
      {logoLetter}
    </span>
  );
}
