/** Classes of the quiet buttons in the composer's bar. */
export const pillClass =
  "flex h-7 min-w-0 items-center gap-1.5 rounded-control px-2 text-base transition-colors hover:bg-hover data-[state=open]:bg-hover max-tablet:h-11";

export const quietTextClass = "text-ink-muted hover:text-ink data-[state=open]:text-ink";
