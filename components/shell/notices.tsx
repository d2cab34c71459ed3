"use client";
/** Banners under the header for problems outside the conversation: connection, project folder, store. */
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, useEffect, useState } from "react";
import type { Project } from "@/lib/project";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { useStore } from "../state/store";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { LateDialog } from "../ui/late-dialog";
import { useWords } from "../words/words";
import { putOff, wasPutOff } from "./browser-storage";
import type { Place } from "./use-place";
import { sendsGuide } from "./trust-order";

const OpenFolderDialog = lazy(async () => ({ default: (await import("./open-folder-dialog")).OpenFolderDialog }));

/** Shorter disconnections are not reported. */
const reportAfterMs = 700;

export interface NoticesProps {
  readonly place: Place;
  /** Settings or history are open: the trust banner of the folder is hidden. */
  readonly isPage: boolean;
}

export function Notices({ place, isPage }: NoticesProps) {
  const words = useWords();
  const { connection, storeError } = useClient();
  const state = useStore(connection.state, (value) => value);
  const store = useStore(storeError, (value) => value);
  const movedAside = useQuery(queries.welcome()).data?.movedAside ?? null;
  const [isSeen, setSeen] = useState(false);
  const [moved, setMoved] = useState<Project | null>(null);
  const isLong = useLong(state === "offline");
  const retry = (
    <Button size="small" onClick={connection.connect}>
      {words.shell.tryNow}
    </Button>
  );
  return (
    <>
      <div role="status" className="min-w-0">
        {state === "gone" && (
          <Line tone="danger" text={words.shell.goneTitle} note={words.shell.goneNote}>
            {retry}
          </Line>
        )}
        {state === "offline" && isLong && (
          <Line tone="ask" text={words.shell.offlineNote}>
            {retry}
          </Line>
        )}
        {store !== null && (
          <Line tone="danger" text={words.shell.storeError(store.path)} note={storeNote(store.code, words)} />
        )}
        {place.project?.gone === true && (
          <Line
            tone="ask"
            text={words.shell.projectGone(place.project.project.path)}
            note={words.shell.projectGoneNote}
          >
            <Button size="small" onClick={() => setMoved(place.project?.project ?? null)}>
              {words.shell.relink}
            </Button>
          </Line>
        )}
        {!isPage && <TrustLine place={place} />}
        {movedAside !== null && !isSeen && (
          <Line tone="ask" text={words.shell.movedAside(movedAside)}>
            <Button size="small" onClick={() => setSeen(true)}>
              {words.common.close}
            </Button>
          </Line>
        )}
      </div>
      {moved !== null && (
        <LateDialog label={words.common.loading} onClose={() => setMoved(null)}>
          <OpenFolderDialog moved={moved} onClose={() => setMoved(null)} />
        </LateDialog>
      )}
    </>
  );
}

/**
 * Banner that offers to trust the folder; hidden in this tab after "Not now". Not shown for a folder without git and
 * without findings, which has nothing to trust.
 */
function TrustLine({ place }: { readonly place: Place }) {
  const { shell: text } = useWords();
  const { workbench } = useClient();
  const { projectId, project } = place;
  const [later, setLater] = useState<string | null>(null);
  if (projectId === null || project === null || project === undefined || project.gone || project.trusted) return null;
  if (project.branch === null && project.findings.length === 0) return null;
  if (later === projectId || wasPutOff(projectId)) return null;
  const notNow = (): void => {
    putOff(projectId);
    setLater(projectId);
  };
  return (
    <Line tone="plain" text={sendsGuide(project.findings) ? `${text.notTrusted} ${text.guideSent}` : text.notTrusted}>
      <Button size="small" onClick={() => workbench.showOverlay("trust")}>
        {text.lookAndTrust}
      </Button>
      <Button size="small" look="quiet" onClick={notNow}>
        {text.notNow}
      </Button>
    </Line>
  );
}

function storeNote(code: string, words: ReturnType<typeof useWords>): string {
  const { sentences } = words.errors;
  const match = Object.entries(sentences).find(([name]) => name === code);
  return match?.[1] ?? sentences.store_failed;
}

/** Returns true once the condition has held for `reportAfterMs`. */
function useLong(isSo: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isSo) return setLong(false);
    const timer = setTimeout(() => setLong(true), reportAfterMs);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isLong;
}

function Line({
  tone,
  text,
  note,
  children,
}: {
  readonly tone: "plain" | "ask" | "danger";
  readonly text: string;
  readonly note?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div
      className={classes(
        "flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5",
        { plain: "bg-surface text-ink-muted", ask: "bg-ask-soft", danger: "bg-danger-soft" }[tone],
      )}
    >
      <p className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
        <span className={tone === "plain" ? "" : "font-medium"}>{text}</span>{" "}
        {note !== undefined && <span className="text-ink-muted">{note}</span>}
      </p>
      {children}
    </div>
  );
}
