/** The root document: fonts, look before the first paint, metadata. Loads no external resources. */
import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { lookBoot } from "@/components/ui/theme/theme";

export const metadata: Metadata = {
  title: "gopi-web",
  description: "A web IDE with a coding agent for models you run yourself.",
  referrer: "no-referrer",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  interactiveWidget: "resizes-content",
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f5f5f3" },
    { media: "(prefers-color-scheme: dark)", color: "#15171b" },
  ],
};

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html
      lang="en"
      data-theme="light"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body>
        <script dangerouslySetInnerHTML={{ __html: lookBoot }} />
        {children}
      </body>
    </html>
  );
}
