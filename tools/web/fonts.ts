// Cuts packages/web/fonts/hub-kr.woff2 from Pretendard: the Hangul syllables of the pages, of the documentation and of the
// tokens of the demo, and no other. Run it when a Korean text gained a syllable (a test names it); the source is large and is
// installed for this command alone.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const SOURCES = here('font-sources')
const TARGET = here('../../packages/web/fonts/')
const HANGUL = /[\uac00-\ud7a3]/g

/** Syllables of the names that the demo invents for its tokens: twelve initials with five vowels. */
const INVENTED = Array.from('가나다라마바사자카타파하')
  .flatMap((first) => [0, 5, 8, 13, 20].map((vowel) => String.fromCharCode(first.charCodeAt(0) + vowel * 28)))
  .join('')

/** Syllables that the browser writes into dates. */
const OF_DATES = '년월일시분초화수목금토요오전후'

/** Returns the syllables of the pages, of their documentation and of the tokens of the demo, each once, in order. */
export function syllablesOfPages(): string {
  const texts = [
    ['../../packages/web/src/', '**/*.{ts,tsx}'],
    ['../../services/gateway/src/', 'docs-*.ts'],
    ['../../packages/replay-exchange/src/synthetic/', 'names.ts'],
  ].flatMap(([folder = '', files = '']) =>
    globSync(files, { cwd: here(folder), exclude: ['**/*.test.ts'] }).map((path) =>
      readFileSync(`${here(folder)}${path}`, 'utf8'),
    ),
  )
  return [...new Set([INVENTED, OF_DATES, ...texts].flatMap((text) => text.match(HANGUL) ?? []))].toSorted().join('')
}

async function cut(): Promise<void> {
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: SOURCES,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm ci in tools/web/font-sources failed: ${stderr.slice(-500)}`)
  const require = createRequire(`${SOURCES}/package.json`)
  const subset = require('subset-font') as (
    font: Buffer,
    text: string,
    options: { targetFormat: 'woff2'; variationAxes: { wght: { min: number; max: number } } },
  ) => Promise<Buffer>
  const text = syllablesOfPages()
  const font = readFileSync(`${SOURCES}/node_modules/pretendard/dist/web/variable/woff2/PretendardVariable.woff2`)
  const cutFont = await subset(font, text, { targetFormat: 'woff2', variationAxes: { wght: { min: 400, max: 700 } } })
  writeFileSync(`${TARGET}hub-kr.woff2`, cutFont)
  writeFileSync(`${TARGET}hub-kr.txt`, `${text}\n`)
  console.log(`${text.length} syllables, ${cutFont.length} bytes`)
}

if (import.meta.main) await cut()
