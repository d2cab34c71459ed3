/** Field for texts of several lines, in the font of code. 16 px on phones, because iOS zooms the page for smaller fonts. */
import type { ComponentProps } from "react";

export const TextArea = (props: Omit<ComponentProps<"textarea">, "className">) => (
  <textarea
    spellCheck={false}
    autoComplete="off"
    className="block w-full resize-y rounded-control border border-line bg-canvas px-2.5 py-2 font-mono text-code text-ink outline-none focus:border-accent focus:outline-1 focus:outline-accent aria-invalid:border-danger max-tablet:text-field"
    {...props}
  />
);
