"use client";
/** Badges that always stay visible: active share links, and a server open to the network. */
import { Network, Share2 } from "lucide-react";
import { useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { classes } from "../../ui/theme/classes";
import { Chip } from "../../ui/indicators/chip";
import { Icon } from "../../ui/indicators/icon";
import { useMessages } from "../../messages/messages";
import type { StatusContext } from "./status-registry";
import { withBasePath } from "../../state/base-path";

/** Opens the dialog with the active links; not rendered if there are none. */
export function ShareBadge({ isCompact }: StatusContext) {
  const { shell } = useMessages();
  const { workbench } = useClient();
  const shares = useServerState("shares") ?? [];
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
        {isCompact ? (
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

/**
 * Links to the device settings, where network access can be closed; not rendered while only this machine can connect.
 */
export function NetworkBadge({ isCompact }: StatusContext) {
  const { shell } = useMessages();
  const network = useServerState("network");
  if (network === undefined || network.owner.length === 0) return null;
  return (
    <a
      href={withBasePath("/settings/devices")}
      title={shell.openToNetwork}
      aria-label={shell.openToNetwork}
      data-network
      className={classes(
        "flex shrink-0 items-center gap-1 text-ask",
        isCompact ? "size-11 justify-center rounded-control hover:bg-hover" : "hover:underline",
      )}
    >
      <Icon of={Network} size={isCompact ? 16 : 14} />
      {!isCompact && shell.openToNetwork}
    </a>
  );
}
