import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** In development the server runs beside it: `CAPSTAN_SERVER=http://127.0.0.1:4100 npm run dev -w @capstan/web`. */
const server = process.env['CAPSTAN_SERVER'] ?? 'http://127.0.0.1:4100'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', target: 'es2022', manifest: true, assetsInlineLimit: 0 },
  server: {
    proxy: {
      '/api': server,
      '/login': server,
      '/oauth': server,
      '/socket.io': { target: server, ws: true },
    },
  },
})
