// Builds packages/report-fonts/fonts from the full Noto Sans KR: Latin, the signs that reports use, and all Hangul.
// Run it only to change what the fonts cover; its sources are large and are installed for it alone.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const target = (name: string) => here(`../../../packages/report-fonts/fonts/${name}`)

/** Inclusive ranges of code points. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x2010, 0x2027],
  [0x2030, 0x203a],
  [0x20a0, 0x20bf],
  [0x2100, 0x214f],
  [0x2190, 0x21ff],
  [0x2200, 0x22ff],
  [0x2460, 0x2473],
  [0x25a0, 0x25ff],
  [0x2600, 0x2606],
  [0x2713, 0x2717],
  [0x3000, 0x3003],
  [0x3008, 0x3011],
  [0x3131, 0x318e],
  [0xac00, 0xd7a3],
  [0xff01, 0xff5e],
]

const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: here('.'),
  encoding: 'utf8',
})
if (status !== 0) throw new Error(`npm ci in tools/lab/fonts failed: ${stderr.slice(-500)}`)

const require = createRequire(import.meta.url)
const subset = require('subset-font') as (
  font: Buffer,
  text: string,
  options: { targetFormat: 'truetype' },
) => Promise<Buffer>
const text = RANGES.map(([first, last]) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index)),
).join('')

const source = '@expo-google-fonts/noto-sans-kr'
for (const [path, name] of [
  ['400Regular/NotoSansKR_400Regular.ttf', 'regular.ttf'],
  ['700Bold/NotoSansKR_700Bold.ttf', 'bold.ttf'],
] as const) {
  const font = await subset(readFileSync(require.resolve(`${source}/${path}`)), text, { targetFormat: 'truetype' })
  writeFileSync(target(name), font)
  console.log(`${name} ${font.length} bytes`)
}
copyFileSync(require.resolve(`${source}/LICENSE_FONT`), target('LICENSE'))
