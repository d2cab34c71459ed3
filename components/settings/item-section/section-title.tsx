"use client";
/** Title of a settings section. The section with the name of its page has none: the page's heading is its title. */
import { createContext, useContext } from "react";

export const PageName = createContext<string | null>(null);

export function SectionTitle({ title }: { readonly title: string }) {
  return useContext(PageName) === title ? null : <h2 className="mb-1 text-title font-semibold">{title}</h2>;
}
