import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `PREACT=1` builds the same source with Preact, which proves that the way out of React stays open. */
const preact = process.env['PREACT'] === '1'
const aliases = {
  'react-dom/client': 'preact/compat/client',
  'react-dom': 'preact/compat',
  'react/jsx-runtime': 'preact/jsx-runtime',
  react: 'preact/compat',
}

/** What nearly every page draws and judges with. */
const COMMON =
  /packages\/(limits\/src\/(?!call-meaning)|web\/src\/(lib\/judge|parts\/(amount|bones|card|empty|failed|note|page|rail|read|seg|slider|tag|time|unknown)\/))/

export default defineConfig({
  base: '/ui/',
  plugins: [react()],
  ...(preact ? { resolve: { alias: aliases } } : {}),
  css: { modules: { generateScopedName: '[hash:base64:5]' } },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A style or a picture inside the document would need another policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: 'manifest.json',
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files: what every page needs at once, and what nearly every page draws with.
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 2 },
            { name: 'common', test: COMMON, priority: 1 },
          ],
        },
      },
    },
  },
})
