/** Static placeholder for bars and message field, painted and editable before the first script runs. */
import { EarlyField } from "../../chat/composer/drafts/early-field";
import { Logo } from "../frame/logo";

interface BareShellProps {
  /** Draft key of the field; absent in the exported page, where first-field.ts sets it. */
  readonly draftKey?: string;
}

/** Pane positions follow the user's layout through CSS variables set by first-field.ts. */
export function BareShell({ draftKey }: BareShellProps) {
  return (
    <div
      aria-busy
      className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[40px_minmax(0,1fr)_24px] bg-canvas max-tablet:grid-rows-[48px_minmax(0,1fr)_auto]"
    >
      <div className="flex items-center border-b border-line bg-surface pl-3">
        <Logo />
      </div>
      <div className="flex min-h-0 min-w-0">
        <div className="w-11 shrink-0 border-r border-line bg-surface max-tablet:hidden" />
        <div className="flex min-h-0 min-w-0 flex-1">
          <div className="w-(--first-side,253px) shrink-0 bg-surface shadow-[inset_-1px_0_var(--line)] max-tablet:hidden" />
          <div className="max-tablet:hidden" style={{ flex: "var(--first-before, 0 0 0px)" }} />
          <div className="flex min-w-0 flex-col" style={{ flex: "var(--first-conversation, 1 1 0%)" }}>
            <div className="mt-auto" style={{ display: "var(--first-field, block)" }}>
              <EarlyField draftKey={draftKey} />
            </div>
            <div className="h-(--first-bottom,0px) max-h-[calc(60dvh+1px)] shrink-0 bg-surface shadow-[inset_0_1px_var(--line)] max-tablet:hidden" />
          </div>
          <div className="max-tablet:hidden" style={{ flex: "var(--first-after, 0 0 0px)" }} />
        </div>
      </div>
      <div className="border-t border-line bg-surface max-tablet:h-14 max-tablet:box-content max-tablet:pb-[env(safe-area-inset-bottom)]" />
    </div>
  );
}
