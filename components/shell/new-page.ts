/** Goes to the page of a new session, its conversation in sight. Used by every control of the shell that begins one. */
import type { WorkbenchStore } from "../state/workbench-store";
import { navigate } from "./router";

export function openNewSession(workbench: WorkbenchStore): void {
  navigate("/");
  workbench.beginSession();
}
