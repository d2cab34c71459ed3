"use client";
/** The choice between the changes of a repository and its history. */
import { useFullMessages } from "../../messages/full-messages";
import { Segmented } from "../../ui/controls/segmented";

export type SourceView = "changes" | "history";

interface SourceViewsProps {
  readonly view: SourceView;
  readonly onView: (view: SourceView) => void;
}

export function SourceViews({ view, onView }: SourceViewsProps) {
  const { source } = useFullMessages();
  return (
    <Segmented
      name={source.view}
      value={view}
      options={[
        { value: "changes", label: source.views.changes },
        { value: "history", label: source.views.history },
      ]}
      onChange={onView}
    />
  );
}
