"use client";
/** Share dialog of a session: creates a link, shown once, and lists the active links. Loaded when it is opened. */
import { useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import type { AddressLink, Share } from "@/lib/protocol/share";
import { useClient } from "../state/client";
import { useServerState } from "../state/use-server-state";
import { Button } from "../ui/controls/button";
import { Dialog } from "../ui/overlays/dialog";
import { LinkBox } from "../ui/controls/link-box";
import { useSharingMessages } from "../messages/sharing-messages";
import { useMessages } from "../messages/messages";
import { ShareForm, type ShareOptions } from "./share-form";
import { ShareList } from "./share-list";

interface ShareDialogProps {
  /** The current session; null = only the list of all links. */
  readonly sessionId: SessionId | null;
  readonly onShow: (id: SessionId) => void;
  readonly onClose: () => void;
}

const noShares: readonly Share[] = [];

export function ShareDialog({ sessionId, onShow, onClose }: ShareDialogProps) {
  const messages = useMessages();
  const { share: text } = useSharingMessages();
  const { call, serverState, toasts } = useClient();
  const shares = useServerState("shares") ?? noShares;
  const isOnlyForOwner = useServerState("network")?.frontDoor?.signsIn === true;
  const sessionShares = shares.filter((share) => share.sessionId === sessionId);
  const elsewhere = shares.filter((share) => share.sessionId !== sessionId);
  const [links, setLinks] = useState<readonly AddressLink[] | null>(null);
  const [isAsking, setAsking] = useState(sessionShares.length === 0);
  const change = (next: (shares: readonly Share[]) => readonly Share[]): void =>
    serverState.merge({ shares: next(serverState.get().shares ?? noShares) });
  const create = async (id: SessionId, options: ShareOptions): Promise<AgentError | null> => {
    const answer = await call("share.create", { sessionId: id, ...options });
    if (!answer.ok) return answer.error;
    const { share } = answer.value;
    change((current) => [...current.filter((one) => one.id !== share.id), share]);
    setLinks(answer.value.links);
    setAsking(false);
    return null;
  };
  const revoke = async (share: Share): Promise<void> => {
    const answer = await call("share.revoke", { shareId: share.id });
    if (!answer.ok) return toasts.show({ text: messages.errors.sentences[answer.error.code], look: "danger" });
    change((current) => current.filter((one) => one.id !== share.id));
    // The link still displayed may be the revoked one.
    setLinks(null);
    if (sessionShares.length === 1 && sessionShares[0]?.id === share.id) setAsking(true);
    toasts.show({ text: text.revoked });
  };
  return (
    <Dialog
      title={sessionId === null ? text.listTitle : text.title}
      closeName={messages.common.close}
      onClose={onClose}
    >
      <div className="grid gap-5 pt-1">
        {links !== null && (
          <section aria-label={text.made}>
            <p role="status" className="mb-3 text-ink-muted">
              {linkNote(links, text)}
            </p>
            <LinkBox links={links} />
          </section>
        )}
        {isOnlyForOwner && <p className="text-ink-muted">{text.onlyYou}</p>}
        {sessionId !== null && isAsking && !isOnlyForOwner && (
          <ShareForm onCreate={(options) => create(sessionId, options)} />
        )}
        {sessionShares.length > 0 && (
          <ShareList title={text.active} shares={sessionShares} onRevoke={(share) => void revoke(share)} />
        )}
        {sessionId !== null && !isAsking && !isOnlyForOwner && (
          <Button
            className="w-fit max-tablet:w-full"
            onClick={() => {
              setLinks(null);
              setAsking(true);
            }}
          >
            {text.again}
          </Button>
        )}
        {elsewhere.length > 0 && (
          <ShareList
            title={sessionId === null ? text.active : text.elsewhere}
            shares={elsewhere}
            onRevoke={(share) => void revoke(share)}
            onShow={(share) => onShow(share.sessionId)}
          />
        )}
        {sessionId === null && shares.length === 0 && !isOnlyForOwner && (
          <p className="text-ink-muted">
            {text.none}. {text.noneNote}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function linkNote(
  links: readonly AddressLink[],
  text: Pick<ReturnType<typeof useSharingMessages>["share"], "madeHere" | "madeNote" | "madeEncrypted">,
): string {
  if (links.every(({ address }) => address.startsWith("127."))) return text.madeHere;
  return links.every(({ url }) => url.startsWith("https:")) ? text.madeEncrypted : text.madeNote;
}
