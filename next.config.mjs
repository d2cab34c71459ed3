// The UI is exported to static files served by our own server; Next runs at build time and in `npm run dev` only.
const isExport = process.env.NODE_ENV === "production";

export default {
  ...(isExport ? { output: "export", distDir: "dist/ui" } : {}),
  // Next's own is random; two builds of the same sources are the same, byte for byte.
  generateBuildId: () => process.env.GOPI_BUILD_ID ?? null,
  images: { unoptimized: true },
  devIndicators: false,
  allowedDevOrigins: ["127.0.0.1", "localhost"],
  // `npm run types` checks the whole tree; a build need not repeat it.
  typescript: { ignoreBuildErrors: true },
};
