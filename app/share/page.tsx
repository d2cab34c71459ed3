/** The page of a share link, served alone by the listener for viewers: it takes nothing of the workbench along. */
import type { Metadata } from "next";
import { ViewerApp } from "@/components/shell/viewer-app";

export const metadata: Metadata = { title: "Shared session", robots: { index: false, follow: false } };

export default function Page() {
  return <ViewerApp />;
}
