/** The one page: every address gets it, components/shell/router.ts says what an address shows. */
import { App } from "@/components/shell/app";

export const dynamicParams = false;

export function generateStaticParams(): { slug: string[] }[] {
  return [{ slug: [] }];
}

export default function Page() {
  return <App />;
}
