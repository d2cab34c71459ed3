"use client";
/** Catches render errors of a subtree and shows it; other parts keep working. */
import { Component, type ReactNode } from "react";
import { useMessages } from "../../messages/messages";
import { NoticePage } from "./notice-page";

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** A changed value draws the subtree again after an error. */
  readonly resetKey?: string;
  /** Draws an error; absent = a notice that offers to reload the page. */
  readonly fallback?: (error: Error) => ReactNode;
}

interface ErrorBoundaryState {
  readonly error: Error | null;
  /** The one with which the subtree was drawn last. */
  readonly resetKey?: string;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): Pick<ErrorBoundaryState, "error"> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(
    { resetKey }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return resetKey === state.resetKey ? null : { error: null, resetKey };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { children, fallback } = this.props;
    return error === null ? children : fallback === undefined ? <Crashed error={error} /> : fallback(error);
  }
}

interface CrashedProps {
  readonly error: Error;
  /** Draws the subtree again; absent = the page can be reloaded. */
  readonly onRetry?: () => void;
}

export function Crashed({ error, onRetry }: CrashedProps) {
  const messages = useMessages();
  return (
    <div role="alert" className="flex h-full min-h-0 flex-1 overflow-auto bg-canvas">
      <NoticePage
        title={messages.shell.crashed}
        note={messages.shell.crashedNote}
        action={
          onRetry === undefined
            ? { label: messages.shell.reload, onSelect: () => location.reload() }
            : { label: messages.common.retry, onSelect: onRetry }
        }
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
