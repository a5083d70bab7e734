import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = new URL('../', import.meta.url).pathname
const docs = new URL('../../../../services/gateway/src/', import.meta.url).pathname
const cut = readFileSync(`${source}../fonts/hub-kr.txt`, 'utf8')

test('every Hangul syllable of the pages and of the documentation is in the cut font; `node tools/with-node24.mjs tools/web/fonts.ts` cuts it anew', () => {
  const files = [
    ...globSync('**/*.{ts,tsx}', { cwd: source }).map((path) => `${source}${path}`),
    ...globSync('docs-*.ts', { cwd: docs }).map((path) => `${docs}${path}`),
  ].filter((path) => !path.endsWith('.test.ts'))
  const missing = files.flatMap((path) =>
    [...new Set(readFileSync(path, 'utf8').match(/[\uac00-\ud7a3]/g))]
      .filter((syllable) => !cut.includes(syllable))
      .map((syllable) => `${path}: ${syllable}`),
  )
  expect(missing).toEqual([])
})

test('the languages are chosen in Latin letters, so that nobody loads the Korean font to read English', () => {
  const files = globSync('**/{en,words}.ts', { cwd: source })
  expect(files.filter((path) => /[\uac00-\ud7a3]/.test(readFileSync(`${source}${path}`, 'utf8')))).toEqual([])
})
