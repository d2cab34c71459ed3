"use client";
/**
 * Root component: the static export renders the bare shell; the browser starts the client and renders the workbench.
 */
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { newDraftKey } from "../chat/composer/early-text";
import { useEarlyComposition } from "../chat/composer/use-early-text";
import { type Client, ClientContext, createClient, useClient } from "../state/client";
import { queries } from "../state/queries";
import { hasToken, signIn, type SignInResult, takeToken } from "../state/sign-in";
import { useStore } from "../state/store";
import { forgetProject } from "../state/workbench-store";
import { applyTheme } from "../ui/theme";
import type { Locale } from "../words/figures";
import { localeOf } from "../words/language";
import { loadWords, WordsProvider } from "../words/words";
import { BareShell } from "./bare-shell";
import { browserStorage, rememberLanguage, rememberedLanguage, rememberSendKey } from "./browser-storage";
import { ErrorBoundary } from "./error-boundary";
import { routeOf, usePath } from "./router";
import { SignInPage } from "./sign-in-page";
import { Workbench } from "./workbench";

interface Boot {
  readonly client: Client;
  /** null = the URL contained no token. */
  readonly signedIn: Promise<SignInResult | null>;
}

let boot: Boot | null = null;

/** Creates the client and starts the sign-in once per page load, however often React renders. */
function bootOnce(): Boot {
  if (boot === null) {
    const token = takeToken();
    if (token !== null) forgetProject(browserStorage());
    const client = createClient(browserStorage(), Date.now);
    const signedIn = token === null ? Promise.resolve(null) : signIn(token);
    void signedIn.then(() => client.start());
    boot = { client, signedIn };
  }
  return boot;
}

/** Whether React has replaced the markup of the exported page. */
let isShown = false;
const isReplaced = (): boolean => isShown;

const firstLocale = (): Locale => localeOf(rememberedLanguage(), navigator.languages);
// Messages and connection load while React hydrates the exported page. With a token in the URL, the start waits for
// `Booted`: if the token were removed from the URL here, the router, which has already read the URL, would put it back.
if (typeof window !== "undefined") {
  void loadWords(firstLocale());
  if (!hasToken()) bootOnce();
}

export function App() {
  const path = usePath();
  const isComposing = useEarlyComposition(isReplaced);
  return path === null || isComposing ? <BareShell /> : <Booted path={path} />;
}

function Booted({ path }: { readonly path: string }) {
  const [{ client, signedIn }] = useState(bootOnce);
  const [result, setResult] = useState<SignInResult | null>(null);
  useEffect(() => {
    isShown = true;
    void signedIn.then(setResult);
  }, [signedIn]);
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={client.cache}>
        <Speaking path={path}>
          <ErrorBoundary>
            <Door result={result} path={path} />
          </ErrorBoundary>
        </Speaking>
      </QueryClientProvider>
    </ClientContext>
  );
}

/**
 * Applies language and theme from the settings; before the settings have loaded, uses the values this browser stored.
 */
function Speaking({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const settings = useQuery(queries.settings()).data;
  const language = settings?.language ?? rememberedLanguage();
  const locale = localeOf(language, navigator.languages);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  useEffect(() => {
    if (settings === undefined) return;
    rememberLanguage(settings.language);
    rememberSendKey(settings.sendKey);
    applyTheme(settings.theme);
  }, [settings]);
  return (
    <Suspense fallback={<BareShell {...draftOf(path)} />}>
      <WordsProvider locale={locale}>{children}</WordsProvider>
    </Suspense>
  );
}

/** Returns the draft key of the page's composer; empty for pages without a composer. */
function draftOf(path: string): { readonly draftKey?: string } {
  const route = routeOf(path);
  if (route.page === "session") return { draftKey: route.id };
  return route.page === "home" ? { draftKey: newDraftKey } : {};
}

function Door({ result, path }: { readonly result: SignInResult | null; readonly path: string }) {
  const client = useClient();
  const isOutside = useStore(client.connection.state, (state) => state === "unauthorized");
  return isOutside ? <SignInPage result={result} /> : <Workbench path={path} />;
}
