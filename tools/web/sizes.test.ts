import { expect, test } from 'vitest'
import type { Manifest } from './manifest.ts'
import { sizesOf } from './sizes.ts'

const manifest: Manifest = {
  'index.html': { file: 'assets/index.js', css: ['index.css'], imports: ['_shared.js'] },
  '_shared.js': { file: 'shared.js' },
  '_both.js': { file: 'both.js' },
  '_one.js': { file: 'one.js' },
  'src/pages/home/home.tsx': { file: 'home.js', imports: ['index.html', '_both.js', '_one.js'] },
  'src/pages/hall/hall.tsx': { file: 'hall.js', css: ['hall.css'], imports: ['_shared.js', '_both.js'] },
  'src/pages/hall/words.ko.ts': { file: 'words.js' },
  'src/lib/terms.ts': { file: 'terms.js', imports: ['_shared.js', '_hashes.js'] },
  '_hashes.js': { file: 'hashes.js' },
}

test('what all pages load counts as initial, what one page loads as its own, and a visit loads both', async () => {
  const sizes = await sizesOf(manifest, '<script src="/ui/assets/index.js">', async () => 1)
  expect(Object.fromEntries(sizes.map(({ what, kB }) => [what, kB]))).toEqual({
    'initial scripts': 2,
    'initial styles': 1,
    'scripts of home': 2,
    'scripts of hall': 1,
    'writing what is signed': 2,
    'a visit of home': 6,
    'a visit of hall': 6,
  })
})
