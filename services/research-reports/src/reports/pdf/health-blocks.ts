import { minuteOf, milliseconds, percent, supply, UNKNOWN, whole } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table } from './table.ts'

const X = PAGE.margin
const ONCHAIN_TEXTS = {
  no_approved_address: 'onchain_no_approved_address',
  not_indexed: 'onchain_not_indexed',
  chain_unavailable: 'onchain_chain_unavailable',
  read: 'onchain_read',
} as const

/** Draws how far the figures can be trusted. */
export function healthBlock(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  const { data_health: health } = research
  let y = heading(sheet, say('health'), top)
  y = pen.paragraph(say('healthLead'), X, y, INNER, { size: 8, color: color.muted, linesMax: 2 }) + 4
  const errors = health.errors.map((error) => `${error.class} ${whole(error.count)}`).join(', ')
  return table(
    pen,
    { x: X, y: y },
    [
      { title: say('measure'), width: 240 },
      { title: say('value'), width: INNER - 240, align: 'right' },
    ],
    [
      [say('dataHealth'), { text: health.grade ?? UNKNOWN, style: { weight: 'bold' } }],
      [
        say('coverage'),
        `${percent(health.coverage)} (${say('ofScans', { ok: whole(health.ok), expected: whole(health.expected) })})`,
      ],
      [say('longestGap'), say('minutes', { n: whole(health.longest_gap_minutes) })],
      [say('latency'), milliseconds(health.latency_p95_ms)],
      [say('skew'), milliseconds(health.clock_skew_ms)],
      [say('stale'), percent(health.stale_share)],
      [say('crossed'), percent(health.crossed_share)],
      [say('truncated'), percent(health.truncated_share)],
      [say('oneSided'), percent(health.one_sided_share)],
      [say('errors'), errors === '' ? say('none') : errors],
    ],
    { row: 13, size: 8 },
  )
}

/** Draws what the chain says about the approved contract. */
export function onchainBlock(sheet: Sheet, top: number): number {
  const { pen, say, research } = sheet
  const { onchain } = research
  const y = heading(sheet, say('onchain'), top)
  const text =
    onchain.value === null
      ? say('onchain_no_approved_address')
      : say(ONCHAIN_TEXTS[onchain.reason ?? 'read'], onchainWords(onchain.value, say))
  return pen.paragraph(text, X, y, INNER, { linesMax: 3 })
}

const GLOSSARY = ['rank', 'grade', 'depth', 'cost', 'volume', 'alerts', 'health', 'changes'] as const

/** Draws what each figure means. */
export function glossaryBlock(sheet: Sheet, top: number): number {
  const { pen, say } = sheet
  let y = heading(sheet, say('glossary'), top)
  for (const key of GLOSSARY) y = pen.paragraph(say(`gloss_${key}`), X, y, INNER, { size: 8, linesMax: 4 }) + 4
  return y
}

/** Draws how an interval is to be read. */
export function readingBlock(sheet: Sheet, top: number): number {
  const y = heading(sheet, sheet.say('reading'), top)
  return sheet.pen.paragraph(sheet.say('readingText'), X, y, INNER, { size: 8, linesMax: 10 })
}

function onchainWords(value: NonNullable<Sheet['research']['onchain']['value']>, say: Sheet['say']) {
  const { blockchain, contract_address, code_present, decimals, total_supply, read_at } = value
  return {
    chain: blockchain,
    address: contract_address,
    code: code_present === null ? UNKNOWN : say(code_present ? 'yes' : 'no'),
    decimals: whole(decimals),
    supply: supply(total_supply, decimals),
    at: read_at === null ? UNKNOWN : minuteOf(read_at),
  }
}
