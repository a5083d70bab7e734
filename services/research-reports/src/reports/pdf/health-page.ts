import { timeChart } from './charts.ts'
import { milliseconds, minuteOf, percent, supply, UNKNOWN, whole } from './number-text.ts'
import { color, INNER, PAGE } from './pen.ts'
import { heading, type Sheet } from './sheet.ts'
import { table } from './table.ts'

const BUCKET_MS = 7_200_000
const X = PAGE.margin
const ONCHAIN_TEXTS = {
  no_approved_address: 'onchain_no_approved_address',
  not_indexed: 'onchain_not_indexed',
  chain_unavailable: 'onchain_chain_unavailable',
  read: 'onchain_read',
} as const

/** Draws data health, on-chain facts, and how to read the figures. */
export function healthPage(sheet: Sheet): void {
  const { pen, say, lang, research } = sheet
  const { data_health: health, onchain, kpi_2h } = research
  let y = heading(sheet, say('health'), 40)
  y = pen.paragraph(say('healthLead'), X, y, INNER, { size: 8, color: color.muted, linesMax: 2 })
  const { buckets } = kpi_2h
  if (buckets.length > 1) {
    pen.text(say('coverageChart'), X, y + 8, INNER, { size: 8, weight: 'bold', color: color.muted })
    const box = { x: X, y: y + 24, width: INNER, height: 110 }
    pen.figure(say('coverageAlt', { ok: health.ok, expected: health.expected }), () =>
      timeChart(pen, box, {
        lang,
        times: buckets.map(({ start }) => Date.parse(start)),
        bucketMs: BUCKET_MS,
        lines: [
          {
            values: buckets.map(({ ok, expected }) => (expected === 0 ? null : ok / expected)),
            stroke: color.second,
          },
        ],
        format: (value) => percent(value, 0),
        domain: [0, 1],
      }),
    )
    y = box.y + box.height
  }
  const errors = health.errors.map((error) => `${error.class} ${whole(error.count)}`).join(', ')
  y = table(
    pen,
    X,
    y + 14,
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
  )
  y = heading(sheet, say('onchain'), y + 22)
  y = pen.paragraph(
    onchain.value === null
      ? say('onchain_no_approved_address')
      : say(ONCHAIN_TEXTS[onchain.reason ?? 'read'], onchainWords(onchain.value, say)),
    X,
    y,
    INNER,
    { linesMax: 3 },
  )
  y = heading(sheet, say('reading'), y + 16)
  pen.paragraph(say('readingText'), X, y, INNER, { linesMax: 10 })
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
