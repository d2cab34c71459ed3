"use client";
/** The root: what was made on the server is the bare shell; in the browser the client starts and the workbench comes. */
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { type Client, ClientContext, createClient, useClient } from "../state/client";
import { queries } from "../state/queries";
import { signIn, type SignInResult, takeToken } from "../state/sign-in";
import { useStore } from "../state/store";
import { forgetProject } from "../state/workbench-store";
import { applyTheme } from "../ui/theme";
import type { Locale } from "../words/figures";
import { localeOf } from "../words/language";
import { loadWords, WordsProvider } from "../words/words";
import { BareShell } from "./bare-shell";
import { browserStorage, rememberLanguage, rememberedLanguage } from "./browser-storage";
import { ErrorBoundary } from "./error-boundary";
import { usePath } from "./router";
import { SignInPage } from "./sign-in-page";
import { Workbench } from "./workbench";

interface Boot {
  readonly client: Client;
  /** null = the address had no token. */
  readonly signedIn: Promise<SignInResult | null>;
}

let boot: Boot | null = null;

/** Once per page, whatever React does. The words are on their way before the first picture. */
function bootOnce(): Boot {
  if (boot === null) {
    const token = takeToken();
    if (token !== null) forgetProject(browserStorage());
    boot = {
      client: createClient(browserStorage(), Date.now),
      signedIn: token === null ? Promise.resolve(null) : signIn(token),
    };
  }
  return boot;
}

const firstLocale = (): Locale => localeOf(rememberedLanguage(), navigator.languages);
if (typeof window !== "undefined") void loadWords(firstLocale());

export function App() {
  const path = usePath();
  return path === null ? <BareShell /> : <Booted path={path} />;
}

function Booted({ path }: { readonly path: string }) {
  const [{ client, signedIn }] = useState(bootOnce);
  const [result, setResult] = useState<SignInResult | null>(null);
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isGone = false;
    void signedIn.then((answer) => {
      if (isGone) return;
      setResult(answer);
      stop = client.start();
    });
    return () => {
      isGone = true;
      stop?.();
    };
  }, [client, signedIn]);
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={client.cache}>
        <Speaking>
          <ErrorBoundary>
            <Door result={result} path={path} />
          </ErrorBoundary>
        </Speaking>
      </QueryClientProvider>
    </ClientContext>
  );
}

/** Language and theme follow the settings; before they are known, what this browser remembers. */
function Speaking({ children }: { readonly children: ReactNode }) {
  const settings = useQuery(queries.settings()).data;
  const language = settings?.language ?? rememberedLanguage();
  const locale = localeOf(language, navigator.languages);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  useEffect(() => {
    if (settings === undefined) return;
    rememberLanguage(settings.language);
    applyTheme(settings.theme);
  }, [settings]);
  return (
    <Suspense fallback={<BareShell />}>
      <WordsProvider locale={locale}>{children}</WordsProvider>
    </Suspense>
  );
}

function Door({ result, path }: { readonly result: SignInResult | null; readonly path: string }) {
  const client = useClient();
  const isOutside = useStore(client.connection.state, (state) => state === "unauthorized");
  return isOutside ? <SignInPage result={result} /> : <Workbench path={path} />;
}
