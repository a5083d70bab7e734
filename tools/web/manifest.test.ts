import { expect, test } from 'vitest'
import { documentOf, type Manifest } from './manifest.ts'

const manifest: Manifest = {
  'index.html': { file: 'assets/index.js', css: ['assets/index.css'], dynamicImports: ['src/i18n/ko.ts'] },
  'src/i18n/ko.ts': { file: 'assets/ko.js' },
  'src/pages/hall/hall.tsx': {
    file: 'assets/hall.js',
    css: ['assets/hall.css'],
    imports: ['index.html', '_common.js'],
    dynamicImports: ['src/pages/hall/words.ko.ts'],
  },
  '_common.js': { file: 'assets/common.js', css: ['assets/common.css'] },
  'src/pages/hall/words.ko.ts': { file: 'assets/words.ko.js' },
}
const html = `<html>
  <head>
    <script src="/ui/theme.js"></script>
    <script type="module" src="/ui/assets/index.js"></script>
    <link rel="stylesheet" href="/ui/assets/index.css">
  </head>
</html>`

test('the document of a page names Korean words before the script that wants them, and its styles after those that order the layers', () => {
  const files = [...documentOf(manifest, html, 'hall').matchAll(/(?:src|href)="\/ui\/([^"]+)"/g)].map(
    ([, file]) => file,
  )
  expect(files).toEqual([
    'assets/ko.js',
    'assets/words.ko.js',
    'theme.js',
    'assets/index.js',
    'assets/index.css',
    'assets/hall.js',
    'assets/common.js',
    'assets/hall.css',
    'assets/common.css',
  ])
})
