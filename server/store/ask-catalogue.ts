/** The late way to the drizzle queries: the first question loads them, StoreErrors come out. Made once by open-store. */
import type Database from "better-sqlite3";
import type { Catalogue } from "./catalogue";
import { guarded } from "./store-error";

export type AskCatalogue = <T>(question: (catalogue: Catalogue) => T) => Promise<T>;

export const createAskCatalogue = (database: Database.Database): AskCatalogue => {
  let loading: Promise<Catalogue> | undefined;
  const load = async (): Promise<Catalogue> => (await import("./catalogue")).openCatalogue(database);
  return async (question) => {
    loading ??= load();
    const catalogue = await loading;
    return guarded(database.name, () => question(catalogue));
  };
};
