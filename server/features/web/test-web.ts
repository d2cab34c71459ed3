/** The program of the page worker, bundled as in the product, for the tests of the web. */
import { useWorkerProgram } from "@/server/base/test-worker";

/** Registers the hooks that bundle it; returns its address. Call it at the top of a test file. */
export const usePageWorker = (): (() => URL) => useWorkerProgram("server/features/web/page/page-worker.ts");
