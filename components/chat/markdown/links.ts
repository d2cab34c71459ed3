"use client";
/** What a link to a file of the project does; given once by the conversation. */
import { createContext, useContext } from "react";
import type { OpenPath } from "../actions";

export interface MarkdownLinks {
  /** Null = there is no editor here (a viewer): paths are plain text. */
  readonly openPath: OpenPath | null;
}

export const MarkdownLinksContext = createContext<MarkdownLinks>({ openPath: null });
export const useMarkdownLinks = (): MarkdownLinks => useContext(MarkdownLinksContext);
