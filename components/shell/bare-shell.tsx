/** The bars without anything in them: what is painted before the first script has run. */
import { Mark } from "./mark";

export function BareShell() {
  return (
    <div aria-busy className="grid h-dvh grid-rows-[40px_1fr_24px] max-tablet:grid-rows-[48px_1fr_56px]">
      <div className="flex items-center border-b border-line bg-surface pl-3">
        <Mark />
      </div>
      <div className="flex min-h-0">
        <div className="w-11 border-r border-line bg-surface max-tablet:hidden" />
      </div>
      <div className="border-t border-line bg-surface" />
    </div>
  );
}
