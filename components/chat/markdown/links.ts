"use client";
/** What a link to a file of the project does; given once by the conversation. */
import { createContext, useContext } from "react";

export interface MarkdownLinks {
  /** Null = there is no editor here (a viewer): paths are plain text. */
  readonly openPath: ((path: string, line: number | undefined) => void) | null;
}

export const MarkdownLinksContext = createContext<MarkdownLinks>({ openPath: null });
export const useMarkdownLinks = (): MarkdownLinks => useContext(MarkdownLinksContext);
