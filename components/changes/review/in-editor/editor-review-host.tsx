"use client";
/** Shows the review of an open file in its editor, once the file has undecided changes. Loaded with the first of them. */
import { lazy, Suspense, useState } from "react";
import type { SessionView } from "@/lib/view/view";
import { useReviewRefresh, useReviewState } from "../use-review";
import type { EditorText } from "./editor-review";

const EditorReview = lazy(async () => ({ default: (await import("./editor-review")).EditorReview }));

interface EditorReviewHostProps extends EditorText {
  readonly session: SessionView;
}

/** For a component whose key is the path. */
export function EditorReviewHost({ session, ...text }: EditorReviewHostProps) {
  const { data } = useReviewState(session);
  useReviewRefresh(session);
  const file = data?.files.find(({ path }) => path === text.path);
  const [isNeeded, setNeeded] = useState(false);
  if (file !== undefined && !isNeeded) setNeeded(true);
  return (
    isNeeded &&
    data !== undefined && (
      <Suspense>
        <EditorReview {...{ session, file }} {...text} state={data} />
      </Suspense>
    )
  );
}
