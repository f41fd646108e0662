/** Builds the client into `dist`, where the server finds it: the page with its shell first, text files compressed beside. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  plugins: [react(), leaveOutJsonSchema(), paintShellFirst(), compressFiles()],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // Nothing as a data: address, so that the page's policy can stay narrow.
    assetsInlineLimit: 0,
    // The largest piece draws and reads molecules, 275 kB compressed; it comes when a dialog asks for it.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // 3Dmol turns callbacks that are given as text into functions; none of ours is, and the page's policy forbids it.
      onLog(level, log, handle) {
        if (log.code !== 'EVAL' || !log.id?.includes('/3dmol/')) handle(level, log)
      },
    },
  },
})

/** The server alone describes schemas as JSON Schema; for the page that part of zod would be 5 kB that are never run. */
function leaveOutJsonSchema(): Plugin {
  return {
    name: 'leave-out-json-schema',
    apply: 'build',
    transform(code, id) {
      if (!/\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/.test(id)) return null
      const exported = /^export (?:function |const |\{ \w+ as )(\w+)/gm
      const names = [...code.matchAll(exported)].map(([, name]) => name)
      return names.map((name) => `export const ${name} = () => undefined`).join('\n')
    },
  }
}

/** A style sheet in the head delays the first paint; at the end of the body it delays the script only. */
function paintShellFirst(): Plugin {
  return {
    name: 'paint-shell-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const sheets = html.match(/ *<link rel="stylesheet"[^>]*href="\/assets\/[^>]*>\n?/g) ?? []
        const head = sheets.reduce((rest, sheet) => rest.replace(sheet, ''), html)
        return head.replace('</body>', `${sheets.join('')}  </body>`)
      },
    },
  }
}

/** Below this a compressed file saves nothing worth a second one. */
const COMPRESSED_BYTES_MIN = 512

function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const first = readFileSync(join(dir, 'index.html'), 'utf8')
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|html|svg)$/.test(name)) continue
        const file = join(dir, name)
        const bytes = readFileSync(file)
        if (bytes.length < COMPRESSED_BYTES_MIN) continue
        // Scripts that the first page does not load take twice as long at the highest quality, 11, for 2% fewer bytes.
        const params = {
          [constants.BROTLI_PARAM_QUALITY]:
            name.endsWith('.js') && !first.includes(basename(name)) ? 10 : 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        }
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
