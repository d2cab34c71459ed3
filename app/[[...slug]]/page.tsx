/** The single page for all addresses; components/shell/navigation/router.ts maps addresses to screens. */
import type { Metadata } from "next";
import { App } from "@/components/shell/boot/app";
import { firstFieldBoot } from "@/components/shell/boot/first-field";
import { en } from "@/components/messages/en";
import { zhCN } from "@/components/messages/zh-CN";

export const metadata: Metadata = { manifest: "/manifest.webmanifest" };

export const dynamicParams = false;

export function generateStaticParams(): { slug: string[] }[] {
  return [{ slug: [] }];
}

const boot = firstFieldBoot({
  words: {
    en: { label: en.composer.label, placeholder: en.composer.placeholder.idle },
    "zh-CN": { label: zhCN.composer.label, placeholder: zhCN.composer.placeholder.idle },
  },
  wideMinPx: 1_200,
  phoneMaxPx: 767.98,
});

export default function Page() {
  return (
    <>
      <App />
      <script dangerouslySetInnerHTML={{ __html: boot }} />
    </>
  );
}
