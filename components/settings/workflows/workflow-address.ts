/** The pages of workflows in the hash of the settings' URL. Pure. */
import type { WorkflowPlace } from "@/lib/workflows/workflow";

const prefix = "workflow/";
/** The form for a new one. */
export const newWorkflowAddress = `${prefix}new`;

/** The session whose prompts a new one begins with; null = none. */
export const draftSessionOf = (address: string | null): string | null =>
  address?.startsWith(`${newWorkflowAddress}/`) === true ? address.slice(newWorkflowAddress.length + 1) : null;

/** Ids and names contain no slash. */
export const formatWorkflowAddress = (projectId: string, place: WorkflowPlace, name: string): string =>
  `${prefix}${projectId}/${place}/${name}`;

interface WorkflowAddress {
  readonly projectId: string;
  readonly place: WorkflowPlace;
  readonly name: string;
}

/** Null = another address. */
export function parseWorkflowAddress(address: string | null): WorkflowAddress | null {
  const [, projectId, place, name] = /^workflow\/([^/]+)\/(project|home)\/([^/]+)$/.exec(address ?? "") ?? [];
  if (projectId === undefined || name === undefined) return null;
  return { projectId, place: place === "home" ? "home" : "project", name };
}
