// Config of `npm run db:generate`, which writes the next migration after a change of the schema.
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./server/store/*schema.ts",
  out: "./server/store/migrations",
});
