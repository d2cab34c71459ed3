"use client";
/** Row of a settings section: label, note and a control; and a group of rows with a title. */
import type { ReactNode } from "react";
import type { AgentError } from "@/lib/events/error";
import { useFullMessages } from "../../messages/full-messages";
import { classes } from "../../ui/theme/classes";
import { useAnchor } from "./use-anchor";
import { ChangeError } from "../item-section/change-error";
import { SectionTitle } from "../item-section/section-title";

interface SettingRowProps {
  readonly label: string;
  readonly labelId?: string;
  readonly note?: string | undefined;
  /** Its id in the URL's hash. */
  readonly anchor?: string;
  /** Key in `config.yaml`, shown while the pointer or the focus is in the row. */
  readonly configKey?: string;
  /** Shown behind the label. */
  readonly aside?: ReactNode;
  /** Why the last change was not saved. */
  readonly error?: AgentError | undefined;
  /** Places the control below the note instead of beside the label. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function SettingRow({
  label,
  labelId,
  note,
  anchor,
  configKey,
  aside,
  error,
  isWide = false,
  children,
}: SettingRowProps) {
  const messages = useFullMessages();
  const row = useAnchor<HTMLDivElement>(anchor);
  return (
    <div
      ref={row}
      {...anchorProps(anchor)}
      className={classes(
        "group/row relative py-4",
        !isWide && "grid items-start gap-x-6 gap-y-2 tablet:grid-cols-[1fr_auto]",
      )}
    >
      <div className="min-w-0">
        <div className="flex min-h-6 flex-wrap items-center gap-x-2">
          <span id={labelId} className="font-medium">
            {label}
          </span>
          {aside}
        </div>
        {note !== undefined && <p className="max-w-[56ch] text-ink-muted">{note}</p>}
        <ChangeError error={error} sentences={{ bad_input: messages.settings.badValue }} className="mt-1" />
      </div>
      <div className={isWide ? "mt-2" : "tablet:flex tablet:w-64 tablet:justify-end"}>{children}</div>
      {configKey !== undefined && (
        // In the padding of the row, so that nothing moves and no key is cut.
        <code className="invisible absolute bottom-0 left-0 font-mono text-tiny text-ink-muted group-focus-within/row:visible group-hover/row:visible">
          {configKey}
        </code>
      )}
    </div>
  );
}

const anchorProps = (anchor: string | undefined) => (anchor === undefined ? {} : { id: anchor, tabIndex: -1 });

interface SettingGroupProps {
  readonly title: string;
  /** Its id in the URL's hash. */
  readonly anchor?: string;
  readonly children: ReactNode;
}

export function SettingGroup({ title, anchor, children }: SettingGroupProps) {
  const section = useAnchor<HTMLElement>(anchor);
  return (
    <section ref={section} {...anchorProps(anchor)} aria-label={title} className="mb-8">
      <SectionTitle title={title} />
      <div className="divide-y divide-line border-t border-line">{children}</div>
    </section>
  );
}
