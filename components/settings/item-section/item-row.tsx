/** Row of a list whose item has a page of its own. */
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";

interface ItemRowProps {
  /** The button that opens the page; the whole row is its area. */
  readonly name: ReactNode;
  /** Beside the name. */
  readonly chips?: ReactNode;
  /** Lines below the name. */
  readonly children: ReactNode;
  /** Before the arrow. */
  readonly end?: ReactNode;
}

export const ItemRow = ({ name, chips, children, end }: ItemRowProps) => (
  <li className="relative flex items-center gap-3 py-2.5 pr-2.5 pl-3.5 transition-colors hover:bg-hover">
    <div className="grid min-w-0 flex-1 gap-0.5">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
        {name}
        {chips}
      </p>
      {children}
    </div>
    {end}
    <Icon of={ChevronRight} className="text-ink-faint" />
  </li>
);

const maxDescriptionChars = 300;

/** The first two lines of the description that the author of an item wrote; nothing for an empty text. */
export function ItemDescription({ text }: { readonly text: string }) {
  const { common } = useFullMessages();
  return text === "" ? null : (
    <p className="line-clamp-2 max-w-[68ch] text-ink-muted [overflow-wrap:anywhere]">
      <VisibleText text={text.slice(0, maxDescriptionChars)} names={common.hidden} />
    </p>
  );
}
