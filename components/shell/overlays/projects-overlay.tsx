"use client";
/** The list of all projects. */
import type { OverlayContext } from "./overlay-registry";
import { ProjectsDialog } from "./projects-dialog";

export const ProjectsOverlay = ({ place, close }: Pick<OverlayContext, "place" | "close">) => (
  <ProjectsDialog projects={place.projects} onClose={close} />
);
