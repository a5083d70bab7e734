import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makePdf } from '#reports/pdf/document.ts'
import { LAYOUT_VERSION, type ReportInputs } from '#reports/rules/report.ts'
import { researchOf } from '#research/rules/research.ts'
import { sampleHistory, type Sample } from '../sample-history.ts'
import { readTexts } from './page-pixels.ts'

/** A fact that a reader asks for, and how its lines read: known in a pair with a past, in a crisis, and on the first day. */
interface Fact {
  readonly name: string
  readonly en: readonly RegExp[]
  readonly ko: readonly RegExp[]
}

const facts: readonly Fact[] = [
  { name: 'last price and changes', en: [/1 h .*24 h .*7 d/], ko: [/1시간 .*24시간 .*7일/] },
  {
    name: 'delisting risk and its past worth',
    en: [/delisting-risk rank/i, /^Past worth/],
    ko: [/위험 점수/, /^과거 실적/],
  },
  { name: 'open and past alerts', en: [/^Alerts .*(crisis|OPEN)/], ko: [/^경보 .*(위기|진행)/] },
  { name: 'depth', en: [/rests within 2% of the mid/], ko: [/±2% 이내 호가 잔량/] },
  {
    name: 'cost of $10,000',
    en: [/\$10,000 market order|order of \$10,000/],
    ko: [/\$10,000 시장가 주문|\$10,000 주문/],
  },
  { name: 'volume and its share', en: [/^Volume .*(\$|not known)/], ko: [/^거래대금 .*(\$|미확인)/] },
  { name: 'other venues of the asset', en: [/This asset at/], ko: [/동일 자산의 거래소/] },
  { name: 'peers and place', en: [/Pairs of similar volume/], ko: [/거래대금 유사 종목/] },
  { name: 'official flags and calendar', en: [/^Venue .*flag/], ko: [/^거래소 .*지정/] },
  { name: 'data quality', en: [/^Data .*(Grade|No scan)/], ko: [/^데이터 .*(등급|스캔)/] },
]

const samples: Readonly<Record<string, Sample>> = {
  'a pair with a past': {},
  'a pair in a crisis': { alerts: ['crash', 'halt'], flags: [] },
  'a pair added two minutes ago': { buckets: 0, openScans: 3, coverage: 1, captures: 0, bursts: 0, past: 0, flags: [] },
  'a pair whose books end within the band': { cut: true },
}

async function linesOfFirstPage(sample: Sample, lang: 'en' | 'ko'): Promise<string[]> {
  const research = researchOf(sampleHistory(sample), 21, null)
  const inputs = { layout: LAYOUT_VERSION, lang, version: 'v1', research } satisfies ReportInputs
  const [page = []] = await readTexts((await makePdf(JSON.stringify(inputs))).pdf)
  const rows = Map.groupBy(page, ({ bottom }) => Math.round(bottom / 3))
  const lines = [...rows.entries()].toSorted(([a], [b]) => a - b)
  return lines.map(([, row]) =>
    row
      .toSorted((a, b) => a.left - b.left)
      .map(({ text }) => text)
      .join(' '),
  )
}

test.each(
  Object.entries(samples).flatMap(([name, sample]) =>
    (['en', 'ko'] as const).map((lang) => [name, lang, sample] as const),
  ),
)('the first page about %s in %s has every fact that was named beforehand', async (name, lang, sample) => {
  const lines = await linesOfFirstPage(sample, lang)
  const found = facts.flatMap((fact) =>
    fact[lang].map((reads) => ({ fact: fact.name, line: 1 + lines.findIndex((line) => reads.test(line)) })),
  )
  if (process.env['SHOW_FACTS'] === '1')
    process.stdout.write(
      `${name}, ${lang}\n${found.map(({ fact, line }) => `page 1, line ${line}: ${fact}: ${lines[line - 1] ?? ''}\n`).join('')}\n`,
    )
  expect(found.filter(({ line }) => line === 0)).toEqual([])
})

test('the facts are those that the method names', () => {
  const page = readFileSync(new URL('../../../../docs/method/research.md', import.meta.url), 'utf8')
  for (const { name } of facts) expect(page).toContain(name)
})

test('a pair added two minutes ago has a price chart, and one whose venue has not answered says so', async () => {
  const fresh = await linesOfFirstPage(samples['a pair added two minutes ago'] ?? {}, 'en')
  expect(fresh.join(' ')).toContain('closing price (USDT) high to low volume, tallest bar')
  const silent = await linesOfFirstPage({ buckets: 0, openScans: 3, coverage: 1, hours: 0 }, 'en')
  expect(silent.join(' ')).toContain('No price history yet')
})
