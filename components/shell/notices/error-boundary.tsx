"use client";
/** Catches render errors of a subtree and offers to reload the page; other parts keep working. */
import { Component, type ReactNode } from "react";
import { useMessages } from "../../messages/messages";
import { NoticePage } from "./notice-page";

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error: Error | null;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <Crashed error={error} />;
  }
}

function Crashed({ error }: { readonly error: Error }) {
  const messages = useMessages();
  return (
    <div role="alert" className="flex h-full min-h-0 flex-1 overflow-auto bg-canvas">
      <NoticePage
        title={messages.shell.crashed}
        note={messages.shell.crashedNote}
        action={{ label: messages.shell.reload, onSelect: () => location.reload() }}
      >
        <details className="mt-4 text-left text-small text-ink-muted">
          <summary className="text-center">{messages.common.details}</summary>
          <pre className="mt-2 max-h-48 overflow-auto rounded-control border border-line bg-surface p-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {error.stack ?? error.message}
          </pre>
        </details>
      </NoticePage>
    </div>
  );
}
