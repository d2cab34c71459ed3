"use client";
/** Banners under the header for problems outside the conversation: connection, project folder, store. */
import { lazy, Suspense, useEffect, useState } from "react";
import { tourConnectionId } from "@/lib/models/tour";
import type { Project } from "@/lib/workspace/project";
import { isOfHub } from "../../state/base-path";
import { useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { LazyDialog } from "../../ui/overlays/lazy-dialog";
import { useMessages } from "../../messages/messages";
import { postponeTrust, isTrustPostponed } from "../boot/browser-storage";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { NoticeLine } from "./notice-line";
import { sendsInstructions } from "../overlays/trust-order";

const OpenFolderDialog = lazy(async () => ({
  default: (await import("../overlays/open-folder-dialog")).OpenFolderDialog,
}));

const TourNotice = lazy(async () => ({ default: (await import("./tour-notice")).TourNotice }));

/** Shorter disconnections are not reported. */
const reportAfterMs = 700;

interface NoticesProps {
  readonly place: WorkbenchLocation;
  /** Settings or history are open: the trust banner of the folder is hidden. */
  readonly isPage: boolean;
}

export function Notices({ place, isPage }: NoticesProps) {
  const messages = useMessages();
  const { connection, storeError } = useClient();
  const state = useStore(connection.state, (value) => value);
  const store = useStore(storeError, (value) => value);
  const movedAside = useServerState("movedAside") ?? null;
  const tour = (useServerState("connections") ?? []).find(({ id }) => id === tourConnectionId);
  const [isSeen, setSeen] = useState(false);
  const [moved, setMoved] = useState<Project | null>(null);
  const isLong = useSustained(state === "offline");
  const retry = (
    <Button size="small" onClick={connection.connect}>
      {messages.shell.tryNow}
    </Button>
  );
  return (
    <>
      <div role="status" className="min-w-0">
        {tour !== undefined && (
          <Suspense>
            <TourNotice connection={tour} />
          </Suspense>
        )}
        {state === "gone" &&
          (isOfHub() ? (
            <NoticeLine tone="danger" text={messages.shell.stopped}>
              <Button size="small" onClick={() => location.reload()}>
                {messages.shell.startAgain}
              </Button>
            </NoticeLine>
          ) : (
            <NoticeLine tone="danger" text={messages.shell.goneTitle} note={messages.shell.goneNote}>
              {retry}
            </NoticeLine>
          ))}
        {state === "offline" && isLong && (
          <NoticeLine tone="ask" text={messages.shell.offlineNote}>
            {retry}
          </NoticeLine>
        )}
        {store !== null && (
          <NoticeLine
            tone="danger"
            text={messages.shell.storeError(store.path)}
            note={storeErrorNote(store.code, messages)}
          />
        )}
        {place.project?.gone === true && (
          <NoticeLine
            tone="ask"
            text={messages.shell.projectGone(place.project.project.path)}
            note={messages.shell.projectGoneNote}
          >
            <Button size="small" onClick={() => setMoved(place.project?.project ?? null)}>
              {messages.shell.relink}
            </Button>
          </NoticeLine>
        )}
        {!isPage && <TrustLine place={place} />}
        {movedAside !== null && !isSeen && (
          <NoticeLine tone="ask" text={messages.shell.movedAside(movedAside)}>
            <Button size="small" onClick={() => setSeen(true)}>
              {messages.common.close}
            </Button>
          </NoticeLine>
        )}
      </div>
      {moved !== null && (
        <LazyDialog label={messages.common.loading} onClose={() => setMoved(null)}>
          <OpenFolderDialog moved={moved} onClose={() => setMoved(null)} />
        </LazyDialog>
      )}
    </>
  );
}

/**
 * Banner that offers to trust the folder; hidden in this tab after "Not now". Not shown for a folder without git and
 * without findings, which has nothing to trust.
 */
function TrustLine({ place }: { readonly place: WorkbenchLocation }) {
  const { shell: text } = useMessages();
  const { workbench } = useClient();
  const { projectId, project } = place;
  const [later, setLater] = useState<string | null>(null);
  if (projectId === null || project === null || project === undefined || project.gone || project.trusted) return null;
  if (project.branch === null && project.findings.length === 0) return null;
  if (later === projectId || isTrustPostponed(projectId)) return null;
  const notNow = (): void => {
    postponeTrust(projectId);
    setLater(projectId);
  };
  return (
    <NoticeLine
      tone="plain"
      text={sendsInstructions(project.findings) ? `${text.notTrusted} ${text.guideSent}` : text.notTrusted}
    >
      <Button size="small" onClick={() => workbench.showOverlay("trust")}>
        {text.lookAndTrust}
      </Button>
      <Button size="small" look="quiet" onClick={notNow}>
        {text.notNow}
      </Button>
    </NoticeLine>
  );
}

function storeErrorNote(code: string, messages: ReturnType<typeof useMessages>): string {
  const { sentences } = messages.errors;
  const match = Object.entries(sentences).find(([name]) => name === code);
  return match?.[1] ?? sentences.store_failed;
}

/** Returns true once the condition has held for `reportAfterMs`. */
function useSustained(isSo: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isSo) return setLong(false);
    const timer = setTimeout(() => setLong(true), reportAfterMs);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isLong;
}
