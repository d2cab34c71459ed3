/** The bars and the message field: what is painted, and typed into, before the first script has run. */
import { EarlyField } from "../chat/composer/early-field";
import { Mark } from "./mark";

export interface BareShellProps {
  /** Whose draft the field has; absent in the exported page (first-field.ts sets it there). */
  readonly draftKey?: string;
}

/** The places of the panes are those of the user's layout: first-field.ts sets the variables. */
export function BareShell({ draftKey }: BareShellProps) {
  return (
    <div
      aria-busy
      className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[40px_minmax(0,1fr)_24px] bg-canvas max-tablet:grid-rows-[48px_minmax(0,1fr)_auto]"
    >
      <div className="flex items-center border-b border-line bg-surface pl-3">
        <Mark />
      </div>
      <div className="flex min-h-0 min-w-0">
        <div className="w-11 shrink-0 border-r border-line bg-surface max-tablet:hidden" />
        <div className="flex min-h-0 min-w-0 flex-1">
          <div className="w-(--first-side,253px) shrink-0 bg-surface shadow-[inset_-1px_0_var(--line)] max-tablet:hidden" />
          <div className="max-tablet:hidden" style={{ flex: "var(--first-before, 0 0 0px)" }} />
          <div className="flex min-w-0 flex-col" style={{ flex: "var(--first-conversation, 1 1 0%)" }}>
            <div className="mt-auto" style={{ display: "var(--first-field, block)" }}>
              <EarlyField {...(draftKey === undefined ? {} : { draftKey })} />
            </div>
          </div>
          <div className="max-tablet:hidden" style={{ flex: "var(--first-after, 0 0 0px)" }} />
        </div>
      </div>
      <div className="border-t border-line bg-surface max-tablet:h-14 max-tablet:box-content max-tablet:pb-[env(safe-area-inset-bottom)]" />
    </div>
  );
}
