"use client";
/** Context with the action for links to project files. */
import { createContext, useContext } from "react";
import type { OpenPath } from "../actions";

interface MarkdownLinks {
  /** Null = no editor (a viewer): paths are plain text. */
  readonly openPath: OpenPath | null;
}

export const MarkdownLinksContext = createContext<MarkdownLinks>({ openPath: null });
export const useMarkdownLinks = (): MarkdownLinks => useContext(MarkdownLinksContext);
