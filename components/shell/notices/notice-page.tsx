"use client";
/** Centred notice that fills a pane: title, note and one action. */
import type { ReactNode } from "react";
import { Button } from "../../ui/controls/button";
import { withBasePath } from "../../state/base-path";

interface NoticePageProps {
  readonly title: string;
  readonly note?: string;
  readonly action?:
    | { readonly label: string; readonly onSelect: () => void }
    | { readonly label: string; readonly path: string };
  readonly children?: ReactNode;
}

export function NoticePage({ title, note, action, children }: NoticePageProps) {
  return (
    <div className="m-auto w-full max-w-[480px] animate-appear p-6 text-center">
      <h1 className="text-title font-semibold">{title}</h1>
      {note !== undefined && <p className="mt-1 text-ink-muted">{note}</p>}
      {children}
      {action !== undefined && (
        <div className="mt-5 flex justify-center">
          {"path" in action ? (
            <a
              href={withBasePath(action.path)}
              className="inline-flex h-8 items-center rounded-control bg-accent px-3 font-medium text-accent-ink hover:brightness-105 max-tablet:h-11"
            >
              {action.label}
            </a>
          ) : (
            <Button look="primary" onClick={action.onSelect}>
              {action.label}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
