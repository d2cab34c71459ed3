// `npm run db:generate` reads this: after a change of the schema it writes the next migration.
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./server/store/schema.ts",
  out: "./server/store/migrations",
});
