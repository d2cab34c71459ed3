/** The single page for all addresses; components/shell/router.ts maps addresses to screens. */
import { App } from "@/components/shell/app";
import { firstFieldBoot } from "@/components/shell/first-field";
import { en } from "@/components/words/en";
import { zhCN } from "@/components/words/zh-CN";

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
