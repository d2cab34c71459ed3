"use client";
/** One line under the header when something outside the conversation is wrong: connection, project folder, store. */
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { Project } from "@/lib/project";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { useStore } from "../state/store";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useWords } from "../words/words";
import type { Place } from "./use-place";

const OpenFolderDialog = lazy(async () => ({ default: (await import("./open-folder-dialog")).OpenFolderDialog }));

/** A short break is not worth a word. */
const tellAfterMs = 700;

export function Notices({ place }: { readonly place: Place }) {
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
        {movedAside !== null && !isSeen && (
          <Line tone="ask" text={words.shell.movedAside(movedAside)}>
            <Button size="small" onClick={() => setSeen(true)}>
              {words.common.close}
            </Button>
          </Line>
        )}
      </div>
      {moved !== null && (
        <Suspense>
          <OpenFolderDialog moved={moved} onClose={() => setMoved(null)} />
        </Suspense>
      )}
    </>
  );
}

function storeNote(code: string, words: ReturnType<typeof useWords>): string {
  const { sentences } = words.errors;
  const known = Object.entries(sentences).find(([name]) => name === code);
  return known?.[1] ?? sentences.store_failed;
}

/** True once it has been so for a moment. */
function useLong(isSo: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isSo) return setLong(false);
    const timer = setTimeout(() => setLong(true), tellAfterMs);
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
  readonly tone: "ask" | "danger";
  readonly text: string;
  readonly note?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div
      className={classes(
        "flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5",
        tone === "danger" ? "bg-danger-soft" : "bg-ask-soft",
      )}
    >
      <p className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
        <span className="font-medium">{text}</span>{" "}
        {note !== undefined && <span className="text-ink-muted">{note}</span>}
      </p>
      {children}
    </div>
  );
}
