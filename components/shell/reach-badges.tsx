"use client";
/** What must never be out of sight: that links are active, and that the server is open to the network. In the bars of the workbench. */
import { useQuery } from "@tanstack/react-query";
import { Network, Share2 } from "lucide-react";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { classes } from "../ui/classes";
import { Chip } from "../ui/chip";
import { Icon } from "../ui/icon";
import { useWords } from "../words/words";

export interface BadgeProps {
  /** Without words, for the phone's bar. */
  readonly compact?: boolean;
}

/** Opens the dialog with the links that are active; absent while none is. */
export function ShareBadge({ compact = false }: BadgeProps) {
  const { shell } = useWords();
  const { workbench } = useClient();
  const shares = useQuery(queries.shares()).data ?? [];
  if (shares.length === 0) return null;
  const looking = shares.reduce((sum, { viewers }) => sum + viewers.length, 0);
  return (
    <button
      type="button"
      aria-label={shell.shared(shares.length, looking)}
      data-shared={looking}
      onClick={() => workbench.showOverlay("share")}
      className="flex h-7 shrink-0 items-center rounded-control px-1.5 hover:bg-hover max-tablet:h-11"
    >
      <Chip tone="ask">
        {compact ? (
          <>
            <Icon of={Share2} size={12} label={shell.shared(shares.length, 0)} />
            {looking > 0 && looking}
          </>
        ) : (
          shell.shared(shares.length, looking)
        )}
      </Chip>
    </button>
  );
}

/** Leads to where it can be closed; absent while only this machine can come in. */
export function NetworkBadge({ compact = false }: BadgeProps) {
  const { shell } = useWords();
  const network = useQuery(queries.network()).data;
  if (network === undefined || network.owner.length === 0) return null;
  return (
    <a
      href="/settings/devices"
      title={shell.openToNetwork}
      aria-label={shell.openToNetwork}
      data-network
      className={classes(
        "flex shrink-0 items-center gap-1 text-ask",
        compact ? "size-11 justify-center rounded-control hover:bg-hover" : "hover:underline",
      )}
    >
      <Icon of={Network} size={compact ? 16 : 14} />
      {!compact && shell.openToNetwork}
    </a>
  );
}
