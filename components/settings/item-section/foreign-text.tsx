/** Text of a server, verbatim and without markup; hidden characters are made visible. */
import { useMessages } from "../../messages/messages";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";

interface ForeignTextProps {
  readonly text: string;
  readonly label?: string;
  readonly mono?: boolean;
  readonly className?: string;
}

/** A block that scrolls when it is long. */
export function ForeignText({ text, label, mono = false, className = "max-h-80" }: ForeignTextProps) {
  const { common } = useMessages();
  return (
    <div
      role={label === undefined ? undefined : "region"}
      aria-label={label}
      tabIndex={0}
      className={classes(
        "overflow-auto rounded-card border border-line bg-surface px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:4]",
        mono && "font-mono text-code",
        className,
      )}
    >
      <VisibleText text={text} names={common.hidden} />
    </div>
  );
}

/** In quotation marks: what a server says is not what gopi-web says. */
export function Quote({ text, className }: { readonly text: string; readonly className?: string }) {
  const { common } = useMessages();
  return (
    <q className={className}>
      <VisibleText text={text} names={common.hidden} />
    </q>
  );
}
