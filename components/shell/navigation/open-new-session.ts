/** Opens the page of a new session with its conversation pane visible. */
import type { WorkbenchStore } from "../../state/workbench/workbench-store";
import { navigate } from "./router";

export function openNewSession(workbench: WorkbenchStore): void {
  navigate("/");
  workbench.beginSession();
}
