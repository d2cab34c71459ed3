/** Reports an uncaught error of the page to the server, which logs and counts it. */
import { errorReportMaxChars } from "@/lib/protocol/error-report";
import type { ServerConnection } from "./connection/server-connection";

type Call = ServerConnection["call"];

/** Most reports of one page: an error that repeats is counted no further. */
const maxReports = 50;
const counts = new WeakMap<Call, number>();

/** `event` = an `error` or `unhandledrejection` of the window. */
export function reportPageError(event: Event, call: Call): void {
  const error: unknown = "error" in event ? event.error : "reason" in event ? event.reason : undefined;
  const count = counts.get(call) ?? 0;
  // The browser's own notices and errors of other origins have none, and an aborted request is no error.
  if (!(error instanceof Error) || error.name === "AbortError" || count === maxReports) return;
  counts.set(call, count + 1);
  void call("app.report_error", {
    text: `${error.message}\n${error.stack ?? ""}`.slice(0, errorReportMaxChars),
  });
}
