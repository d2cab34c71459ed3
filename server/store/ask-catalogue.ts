/** Lazy access to the drizzle queries: loads them with the first query and converts errors to StoreError. */
import type Database from "better-sqlite3";
import type { Catalogue } from "./catalogue";
import { guarded } from "./store-error";

export type AskCatalogue = <T>(query: (catalogue: Catalogue) => T) => Promise<T>;

export const createAskCatalogue = (database: Database.Database): AskCatalogue => {
  let loading: Promise<Catalogue> | undefined;
  const load = async (): Promise<Catalogue> => (await import("./catalogue")).openCatalogue(database);
  return async (query) => {
    loading ??= load();
    const catalogue = await loading;
    return guarded(database.name, () => query(catalogue));
  };
};
