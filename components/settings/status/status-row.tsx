/** Row of the status page: whether a part works, its name, and its facts or the next step. */
import { Check, CircleAlert, Minus } from "lucide-react";
import type { ReactNode } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";
import { withBasePath } from "../../state/base-path";

/** off = it is not used. */
type PartState = "ok" | "broken" | "off";

interface StatusRowProps {
  readonly state: PartState;
  readonly name: string;
  readonly children: ReactNode;
}

const looks = {
  ok: { of: Check, className: "text-accent" },
  broken: { of: CircleAlert, className: "text-ask" },
  off: { of: Minus, className: "text-ink-faint" },
} as const;

export function StatusRow({ state, name, children }: StatusRowProps) {
  const { status: text } = useFullMessages();
  const { of, className } = looks[state];
  return (
    <div
      role="group"
      aria-label={name}
      data-part-state={state}
      className="grid grid-cols-[1rem_1fr] gap-x-3 gap-y-0.5 py-3 tablet:grid-cols-[1rem_12rem_1fr]"
    >
      <span className="flex h-6 items-center">
        <Icon of={of} label={text[state]} className={className} />
      </span>
      <span className="min-h-6 min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
      <div className="grid min-w-0 gap-1 text-ink-muted [overflow-wrap:anywhere] max-tablet:col-start-2">
        {children}
      </div>
    </div>
  );
}

/** A link to the page of this application where the next step is taken. */
export const StepLink = ({ path, children }: { readonly path: string; readonly children: ReactNode }) => (
  <a href={withBasePath(path)} className="justify-self-start text-accent hover:underline max-tablet:py-2.5">
    {children}
  </a>
);
