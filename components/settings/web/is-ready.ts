/** Whether a search engine has what it needs. Pure. */
import type { WebProviderState } from "@/lib/tools/web";

export const isReady = ({ needs, hasKey, address }: WebProviderState): boolean =>
  needs === "nothing" || (needs === "key" ? hasKey : address !== "");
