/** Runs a line in a terminal of its own, where the user sees and answers it; what it changed is read again when it has ended. */
import type { Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { AppClient } from "../../state/client";
import { commandQuery } from "../../state/command-query";

/** Size of the terminal until it is shown. */
const size = { columns: 100, rows: 24 };

/** `onEnd` is called when the line has ended, again if it is restarted. One that succeeds leaves the screen as it was before. */
export async function runInTerminal(
  { call, cache, workbench }: AppClient,
  projectId: ProjectId,
  run: { readonly name: string; readonly line: string },
  onEnd: () => void,
): Promise<Result<null>> {
  const opened = await call("terminal.open", { projectId, ...size, run });
  if (!opened.ok) return opened;
  const { id } = opened.value.terminal;
  const { queryKey } = commandQuery("terminal.list", { projectId });
  const state = (): "runs" | "failed" | "gone" => {
    const found = cache.getQueryData(queryKey)?.terminals.find((one) => one.id === id);
    return found === undefined ? "gone" : found.exit === null ? "runs" : "failed";
  };
  // The list with the terminal has arrived before the answer.
  if (state() === "gone") {
    onEnd();
    return { ok: true, value: null };
  }
  const before = workbench.get();
  workbench.changeLayout((layout) => ({
    ...layout,
    bottom: "terminal",
    terminals: { ...layout.terminals, active: id },
  }));
  workbench.showPhoneTab("terminal");
  workbench.awaitTerminal(true);
  let seen = state();
  const unsubscribe = cache.getQueryCache().subscribe(() => {
    if (state() === seen) return;
    seen = state();
    if (seen === "runs") return;
    onEnd();
    if (seen !== "gone") return;
    unsubscribe();
    const now = workbench.get();
    if (now.projectId === before.projectId && now.layout.terminals.active === id) {
      workbench.changeLayout((layout) => ({
        ...layout,
        bottom: before.layout.bottom,
        terminals: { ...layout.terminals, active: before.layout.terminals.active },
      }));
      if (now.phoneTab === "terminal") workbench.showPhoneTab(before.phoneTab);
    }
  });
  return { ok: true, value: null };
}
