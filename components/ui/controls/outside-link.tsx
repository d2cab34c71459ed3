/** Link with the look of the main button, to a page of others: it gets no referrer and no handle of this page. */
import type { ComponentProps } from "react";

export const OutsideLink = (props: Omit<ComponentProps<"a">, "className" | "target" | "rel" | "referrerPolicy">) => (
  <a
    {...props}
    target="_blank"
    rel="noopener noreferrer"
    referrerPolicy="no-referrer"
    className="inline-flex min-h-8 min-w-0 items-center rounded-control border border-accent bg-accent px-3 font-medium text-accent-ink [overflow-wrap:anywhere] hover:brightness-105 max-tablet:min-h-11"
  />
);
