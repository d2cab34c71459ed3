"use client";
/** Context with what the links and images of a Markdown text do. */
import { createContext, useContext } from "react";

/** Opens a project file; `line` and `span` are 1-based. */
export type OpenPath = (
  path: string,
  line: number | undefined,
  span?: { readonly column?: number; readonly endLine?: number },
) => void;

/** Handlers for the addresses in a Markdown file, which are relative to the file. */
export interface MarkdownFile {
  readonly openLink: (address: string, line: number | undefined) => void;
  /** Returns an address from which the browser loads an image of the project; null = there is none. */
  readonly loadImage: (address: string) => Promise<string | null>;
  /** Scrolls to the heading of a `#name` address. */
  readonly openHeading: (name: string) => void;
}

interface MarkdownLinks {
  /** Null = no editor (a viewer): paths are plain text. */
  readonly openPath: OpenPath | null;
  /** Absent = the text is a message, which loads no images. */
  readonly file?: MarkdownFile;
}

export const MarkdownLinksContext = createContext<MarkdownLinks>({ openPath: null });
export const useMarkdownLinks = (): MarkdownLinks => useContext(MarkdownLinksContext);
