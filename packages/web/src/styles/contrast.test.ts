import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark] as const],
  ),
)

/** Relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Text on its ground: at least 4.5. */
const TEXT = [
  ['ink', 'paper'],
  ['ink', 'sheet'],
  ['ink', 'raise'],
  ['ink', 'sunk'],
  ['ink', 'held-wash'],
  ['ink', 'out-wash'],
  ['ink', 'act-wash'],
  ['ink', 'note-wash'],
  ['ink-2', 'paper'],
  ['ink-2', 'sheet'],
  ['ink-2', 'sunk'],
  ['ink-3', 'paper'],
  ['ink-3', 'sheet'],
  ['ink-3', 'sunk'],
  ['act', 'paper'],
  ['act', 'sheet'],
  ['act', 'act-wash'],
  ['on-act', 'act'],
  ['on-act', 'act-hover'],
  ['held-ink', 'held-wash'],
  ['held-ink', 'sheet'],
  ['out', 'paper'],
  ['out', 'sheet'],
  ['out', 'out-wash'],
  ['on-out', 'out-fill'],
  ['note', 'note-wash'],
] as const
/** Parts that carry meaning on their ground: at least 3. */
const PARTS = [
  ['edge', 'paper'],
  ['edge', 'sheet'],
  ['inside', 'sunk'],
  ['held', 'sunk'],
  ['out-fill', 'sunk'],
  ['focus', 'paper'],
  ['focus', 'sheet'],
] as const

const cases = [
  ...TEXT.map(([one, ground]) => [one, ground, 4.5] as const),
  ...PARTS.map(([one, ground]) => [one, ground, 3] as const),
]

test.each(cases)('%s on %s has a contrast of at least %d in both themes', (one, ground, least) => {
  for (const theme of [0, 1] as const)
    expect(contrast(tokens.get(one)?.[theme] ?? '', tokens.get(ground)?.[theme] ?? '')).toBeGreaterThanOrEqual(least)
})
