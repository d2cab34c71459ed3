import { load } from "./net/load.js";
// retryLimit is not used here.
await load("https://example.com");
