/** The page of a share link, served only by the listener for viewers, without code of the workbench. */
import type { Metadata } from "next";
import { ViewerApp } from "@/components/shell/viewer/viewer-app";

export const metadata: Metadata = { title: "Shared session", robots: { index: false, follow: false } };

export default function Page() {
  return <ViewerApp />;
}
