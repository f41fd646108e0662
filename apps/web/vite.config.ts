/** Builds the client into `dist`, where the server finds it. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    // Nothing as a data: address, so that the page's policy can stay narrow.
    assetsInlineLimit: 0,
    // The first screen is one file of about 170 kB compressed; the admin area is another.
    chunkSizeWarningLimit: 600,
  },
})
