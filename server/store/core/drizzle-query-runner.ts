/** Lazy access to the drizzle queries: loads them with the first query and converts errors to StoreError. */
import type Database from "better-sqlite3";
import { loadOnce } from "@/lib/async/load-once";
import type { DrizzleQueries } from "./drizzle-queries";
import { withStoreErrors } from "./store-error";

export type RunDrizzleQuery = <T>(query: (catalogue: DrizzleQueries) => T) => Promise<T>;

export const createDrizzleQueryRunner = (database: Database.Database): RunDrizzleQuery => {
  const load = loadOnce(
    async (): Promise<DrizzleQueries> => (await import("./drizzle-queries")).createDrizzleQueries(database),
  );
  return async (query) => {
    const catalogue = await load();
    return withStoreErrors(database.name, () => query(catalogue));
  };
};
