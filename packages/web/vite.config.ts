import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** In development the server runs separately: `CAPSTAN_SERVER=http://127.0.0.1:4100 npm run dev -w @capstan/web`. */
const server = process.env['CAPSTAN_SERVER'] ?? 'http://127.0.0.1:4100'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // The first browsers with `light-dark()`, which the colours use.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // Each asset is a file: the content security policy allows data URLs for images only.
    assetsInlineLimit: 0,
    // The polyfill is for browsers older than the build target.
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': server,
      '/login': server,
      '/oauth': server,
      '/socket.io': { target: server, ws: true },
    },
  },
})
