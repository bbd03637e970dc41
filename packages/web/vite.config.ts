import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** In development the server runs beside it: `CAPSTAN_SERVER=http://127.0.0.1:4100 npm run dev -w @capstan/web`. */
const server = process.env['CAPSTAN_SERVER'] ?? 'http://127.0.0.1:4100'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // The first browsers with `light-dark()`, which the colours are written with.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // A file of its own for each: the content policy has no place for data addresses.
    assetsInlineLimit: 0,
    // Old browsers would get a script that is not needed here.
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
