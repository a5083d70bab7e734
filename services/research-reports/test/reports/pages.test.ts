import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { bytesOf, openDocument } from '@svc/report-drawing/document'
import { collectGarbage } from '@svc/service'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, describe, test } from 'vitest'
import { researchOf } from '#research/rules/research.ts'
import { LAYOUT_VERSION, type ReportInputs } from '#reports/rules/report.ts'
import { makePdf } from '#reports/pdf/document.ts'
import { missingGlyphs } from '@svc/report-drawing/glyphs'
import { FOOT_TOP } from '#reports/pdf/sheet.ts'
import { openReportRenderer } from '#reports/pdf/renderer.ts'
import { lookAt, readTexts, type PlacedText } from './page-pixels.ts'
import { sampleHistory, type Sample } from '../sample-history.ts'

const NEVER_SCANNED = { buckets: 0, openScans: 0, coverage: 0, captures: 0, bursts: 0 } as const

const samples: Readonly<Record<string, Sample>> = {
  'three weeks': {},
  'the first minutes': { buckets: 0, openScans: 3, coverage: 1, board: false, captures: 0, bursts: 0 },
  'half a day with failures': { buckets: 5, openScans: 60, coverage: 0.7, bursts: 0 },
  'a pair in a crash': { alerts: ['crash'], flags: [] },
  'a pair in four crises at once': {
    symbol: '1000000MOGWAI.LONG/USDT',
    alerts: ['crash', 'cross_venue_gap', 'halt', 'liquidity_withdrawal'],
    coverage: 0.7,
  },
  'a pair whose books end within the band': { cut: true },
  'a pair whose crises nobody knows': { alerts: null },
  'a pair whose venue announced its end': {
    notices: [
      {
        at: '2026-11-20T06:01:00.000Z',
        kind: 'flag_raised',
        detail: 'announcement.delisting_announced',
        effective_at: '2026-12-01T03:00:00.000Z',
        source: 'kucoin /api/v3/announcements',
        published_at: '2026-11-20T06:00:00.000Z',
        title:
          'ST: KuCoin Will Delist Certain Projects (ZRX, CELO, RNDR and eleven others) on 2026-12-01 and Support Withdrawals',
        url: 'https://www.kucoin.com/announcement/st-kucoin-will-delist-certain-projects-20261120-and-support-withdrawals',
      },
    ],
  },
  'a pair watched since this morning, with rules that cannot be judged': {
    past: 0,
    watchedSince: '2026-11-21T06:02:00.000Z',
    notJudged: [
      ['crash', 'no_price_an_hour_ago'],
      ['liquidity_withdrawal', 'too_few_books'],
      ['spread_blowout', 'too_few_books'],
      ['halt', 'list_too_old'],
    ],
  },
  'a pair that was halted before it was scanned': {
    ...NEVER_SCANNED,
    lifecycle: 'halted',
    alerts: ['halt'],
    notJudged: [['crash', 'no_price']],
  },
  'a pair that was delisted before it was scanned': { ...NEVER_SCANNED, lifecycle: 'delisted', board: false },
  'words of any script': {
    symbol: '1000000MOGWAI.LONG/USDT',
    flags: [
      '一二三 주의 ₩ \u{1f680}',
      'x'.repeat(90),
      '<script>',
      ') Tj ET << /JS (x) >>',
      'a\u202Eb\u200Bc\u3164d',
      '=HYPERLINK("x")',
    ],
    contract: { chain: 'ethereum', address: '0x50D1c9771902476076eCFc8B2A83Ad6b9355a4c9' },
  },
  'a pair on the first day whose venue has not answered': {
    buckets: 0,
    openScans: 3,
    coverage: 1,
    captures: 0,
    bursts: 0,
    hours: 0,
    past: 0,
    venues: 0,
    flags: [],
  },
  'a contract that was read': {
    contract: { chain: 'ethereum', address: '0x50D1c9771902476076eCFc8B2A83Ad6b9355a4c9' },
    onchain: {
      state: 'read',
      totalSupply: 328_895_103_813_207_250_000_000_000n,
      decimals: 18,
      codePresent: true,
      readAt: '2026-11-21T08:38:00.000Z',
    },
  },
}
const languages = ['en', 'ko'] as const
const versions = ['v1', 'v2'] as const

function inputsOf(sample: Sample, lang: 'en' | 'ko', version: 'v1' | 'v2'): string {
  return JSON.stringify({
    layout: LAYOUT_VERSION,
    lang,
    version,
    research: researchOf(sampleHistory(sample), 21, sample.onchain ?? null),
  } satisfies ReportInputs)
}
/** Pairs of texts that stand upon each other. */
function overlapsOf(texts: readonly PlacedText[]): string[] {
  return texts.flatMap((one, place) =>
    texts.slice(place + 1).flatMap((other) => {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      return across > 1 && down > 1 ? [`${one.text} / ${other.text}`] : []
    }),
  )
}
/** Lines of a page from the top, each from the left. */
function linesOf(texts: readonly PlacedText[]): string[] {
  const rows = Map.groupBy(texts, ({ bottom }) => Math.round(bottom / 3))
  return [...rows.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, row]) =>
      row
        .toSorted((a, b) => a.left - b.left)
        .map(({ text }) => text)
        .join(' '),
    )
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const LONG = process.env['TEST_LONG'] === '1'
/** Every sample in one of the languages, and these in both; `TEST_LONG=1` draws all in both. */
const IN_BOTH = new Set(['three weeks', 'words of any script', 'a pair whose venue announced its end'])

describe.each(Object.keys(samples).map((name, place) => [name, place] as const))('a report of %s', (name, place) => {
  // The first page is the same in both versions.
  test.each(
    languages
      .filter((_, nth) => LONG || IN_BOTH.has(name) || nth === place % 2)
      .flatMap((lang) =>
        (name === 'three weeks' ? versions : ['v2' as const]).map((version) => [lang, version] as const),
      ),
  )(
    'in %s, %s, shows every text: none blank, none cut off, none upon another, no sign without a glyph',
    async (lang, version) => {
      const inputs = inputsOf(samples[name] ?? {}, lang, version)
      const { pdf, pages } = await makePdf(inputs)
      const seen = await lookAt(pdf)
      expect(seen.pages).toHaveLength(pages)
      for (const [place, { texts, inkedPixels }] of seen.pages.entries()) {
        // Only the last page may end far before its foot: charts take what others leave.
        const lowest = Math.max(...texts.filter(({ top }) => top < FOOT_TOP).map(({ bottom }) => bottom))
        if (place < pages - 1) expect(lowest, `page ${place + 1} of ${pages}`).toBeGreaterThan(0.75 * FOOT_TOP)
        expect(texts.length).toBeGreaterThan(8)
        expect(inkedPixels).toBeGreaterThan(60_000)
        // Text stands in at least six of the eight bands above the foot: no page is nearly empty.
        const bands = new Set(texts.filter(({ top }) => top < 780).map(({ top }) => Math.floor(top / 97.5)))
        expect(bands.size, `${name}: ${texts.length} texts`).toBeGreaterThanOrEqual(6)
        expect(texts.filter(({ isVisible }) => !isVisible)).toEqual([])
        expect(texts.filter(({ isCut }) => isCut)).toEqual([])
        expect(texts.flatMap(({ text }) => missingGlyphs(text, 'regular'))).toEqual([])
        expect(overlapsOf(texts)).toEqual([])
      }
      const all = seen.pages.flatMap(({ texts }) => texts.map(({ text }) => text)).join(' ')
      expect(all).toContain(samples[name]?.symbol ?? 'FTT/USDT')
      expect(all).toContain(lang === 'ko' ? '상장 폐지 위험 보고서' : 'Delisting-risk report')
      expect(/[\uac00-\ud7a3]/.test(all.replace(/주의/g, ''))).toBe(lang === 'ko')
    },
  )
})

test('a text that is blank, overlaps another or leaves the page is detected', async () => {
  const doc = openDocument(new Date(0), { size: [300, 100], autoFirstPage: true })
  doc.font('regular').fontSize(12)
  doc.fillColor('#ffffff').text('blank', 10, 10, { lineBreak: false })
  doc.fillColor('#000000').text('one', 10, 40, { lineBreak: false })
  doc.text('upon', 15, 43, { lineBreak: false })
  doc.text('over-the-edge', 265, 70, { lineBreak: false })
  const [page] = (await lookAt(await bytesOf(doc))).pages
  const texts = page?.texts ?? []
  expect(texts.filter(({ isVisible }) => !isVisible).map(({ text }) => text)).toEqual(['blank'])
  // What is wholly beyond the edge is not even read.
  expect(texts.filter(({ isCut }) => isCut).map(({ text }) => text.slice(0, 4))).toEqual(['over'])
  expect(overlapsOf(texts)).toEqual(['one / upon'])
})

test.each(languages)(
  'a report in %s of a pair whose name is PDF syntax has that name as its title, and does nothing',
  async (lang) => {
    const symbol = 'A) /JS (x) >> endobj/USDT\u202E\\'
    const { pdf } = await makePdf(inputsOf({ symbol }, lang, 'v1'))
    const document = await getDocument({ data: pdf.slice(), verbosity: 0 }).promise
    const [{ info }, scripts, opened, files] = await Promise.all([
      document.getMetadata(),
      document.getJSActions(),
      document.getOpenAction(),
      document.getAttachments(),
    ])
    expect([document.numPages, scripts, opened]).toEqual([1, null, null])
    expect([...(files as ReadonlyMap<string, unknown>).keys()]).toEqual(['inputs.json'])
    expect((info as { Title: string }).Title).toContain('A) /JS (x) >> endobj/USDT?\\')
    const texts = await readTexts(pdf)
    expect(
      texts
        .flat()
        .map(({ text }) => text)
        .join(' '),
    ).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{Cc}/u)
  },
)

test('a report says its title and language, is tagged, and carries its inputs', async () => {
  const inputs = inputsOf({}, 'ko', 'v1')
  const seen = await lookAt((await makePdf(inputs)).pdf)
  expect(seen.title).toBe('상장 폐지 위험 보고서: FTT/USDT, binance')
  expect(seen.lang).toBe('ko-KR')
  expect(seen.roles).toEqual(expect.arrayContaining(['Document', 'H1', 'H2', 'P', 'Figure']))
  expect(Buffer.from(seen.attachments.get('inputs.json') ?? []).toString()).toBe(inputs)
})

describe('the same inputs give the same bytes', () => {
  test('in each language and version: in this thread and in two others', async () => {
    const [one, two] = [openReportRenderer(), openReportRenderer()]
    try {
      for (const [lang, version] of languages.flatMap((lang) => versions.map((version) => [lang, version] as const))) {
        const inputs = inputsOf({}, lang, version)
        const files = [await makePdf(inputs), await one.draw(inputs), await two.draw(inputs)]
        expect(new Set(files.map(({ pdf }) => sha256(pdf))).size, `${lang} ${version}`).toBe(1)
        const other = await makePdf(inputsOf({ to: '2026-11-21T08:38:00.000Z' }, lang, version))
        expect(sha256(other.pdf)).not.toBe(sha256(files[0]?.pdf ?? new Uint8Array()))
      }
    } finally {
      await Promise.all([one.close(), two.close()])
    }
  })

  // Not compressed: how a page is drawn, not how this machine's zlib packs it. A change of the drawing needs a new
  // LAYOUT_VERSION, or a report that exists would be given for one that looks otherwise.
  test.each([
    ['en', 'v1', '3e0edc1d743486065f0ee68b0e0d7a1f3917533bfb36429ce8b9f468b9ae4e8d'],
    ['en', 'v2', '9e6f2f8013a693daccdd17baf5ed008a5a2ba02e2fa58a7aa3ea577e30873927'],
    ['ko', 'v1', 'e0d60dc16cbb2b1ca50f6fc1fb8ae7e013fbfd3896e739b1b896123414596799'],
    ['ko', 'v2', 'd1f1c65af89845741147d50b9fff67ca299bdac962cd7d860a2373ff74773fcf'],
  ] as const)('%s %s: those of this layout version', async (lang, version, digest) => {
    const { pdf } = await makePdf(inputsOf({}, lang, version), { compress: false })
    expect(sha256(pdf)).toBe(digest)
  })
})

test('fonts and code are loaded once: a further report costs less than half the CPU of the first', async () => {
  const renderer = openReportRenderer()
  try {
    const costs: number[] = []
    for (let n = 0; n < 11; n += 1) {
      const inputs = inputsOf({ to: `2026-11-21T08:${10 + n}:00.000Z` }, n % 2 === 0 ? 'ko' : 'en', 'v2')
      const before = process.cpuUsage()
      await renderer.draw(inputs)
      const { user, system } = process.cpuUsage(before)
      costs.push(user + system)
    }
    const [first = 0, ...further] = costs
    expect(further.toSorted((a, b) => a - b)[4]).toBeLessThan(first / 2)
  } finally {
    await renderer.close()
  }
})

test('memory does not grow with the number of reports that a process has drawn', async () => {
  const drawn = async (count: number, from: number) => {
    for (let n = 0; n < count; n += 1)
      await makePdf(inputsOf({ to: minuteOf(from + n) }, n % 2 === 0 ? 'ko' : 'en', 'v1'))
    collectGarbage()
    // Streams let go of their buffers in the next turns of the event loop.
    await delay(20)
    collectGarbage()
    return process.memoryUsage()
  }
  const round = LONG ? 100 : 6
  await drawn(4, 0)
  const before = await drawn(round, 4)
  const after = await drawn(round, 4 + round)
  // A report alone takes several megabytes while it is drawn.
  expect(after.heapUsed - before.heapUsed).toBeLessThan(2_000_000)
  expect(after.arrayBuffers).toBeLessThan(40_000_000)
})

const minuteOf = (n: number) => new Date(Date.parse('2026-11-21T08:00:00.000Z') + n * 60_000).toISOString()

describe.each(languages)('the first lines of a report in %s', (lang) => {
  test.each(versions)('of version %s say that a crisis is open, before anything else', async (version) => {
    const { pdf } = await makePdf(inputsOf({ alerts: ['crash', 'halt'], flags: [] }, lang, version))
    const [first = []] = await readTexts(pdf)
    const lines = first.toSorted((a, b) => a.top - b.top || a.left - b.left).map(({ text }) => text)
    const head = lines.slice(0, 3).join(' ')
    expect(head).toContain(lang === 'ko' ? '위기 경보: 급락' : 'CRISIS: crash')
    expect(lines.join(' ')).toContain(lang === 'ko' ? '진행 중: 급락, 거래 정지' : 'OPEN: crash, trading halted')
  })

  test('do not call the last 90 days free of crises while one is open', async () => {
    const { pdf } = await makePdf(inputsOf({ alerts: ['crash'], past: 0 }, lang, 'v1'))
    const shown = (await readTexts(pdf)).flatMap((page) => page.map(({ text }) => text))
    expect(shown).toContain(
      lang === 'ko'
        ? '진행 중: 급락. 그 외 최근 90일 기록 없음.'
        : 'OPEN: crash. No other is recorded in the last 90 days.',
    )
  })

  test.each(['v1', 'v2'] as const)('say in %s how a crisis ended that was not judged to its end', async (version) => {
    const { pdf } = await makePdf(inputsOf({ past: 3 }, lang, version))
    const shown = (await readTexts(pdf)).flatMap((page) => page.map(({ text }) => text)).join(' ')
    expect(shown).toContain(lang === 'ko' ? '스프레드 급등 2/3, 종료 미확인' : 'spread blown out 2/3, end not judged')
    expect(shown).toContain(lang === 'ko' ? '유동성 이탈 3/3, 상장폐지' : 'liquidity withdrawn 3/3, delisted')
  })

  test('say nothing of a crisis where none is open', async () => {
    const { pdf } = await makePdf(inputsOf({}, lang, 'v1'))
    const texts = (await readTexts(pdf)).flatMap((page) => page.map(({ text }) => text)).join(' ')
    expect(texts).not.toMatch(/CRISIS|OPEN|위기 경보:|진행 중:/)
    expect(texts).toContain(lang === 'ko' ? '진행 중인 위기 없음' : 'No crisis is open')
  })
})

test.each(languages)('in %s, a depth that is a lower bound says so wherever it is printed', async (lang) => {
  const textsOf = async (sample: Sample) =>
    (await readTexts((await makePdf(inputsOf(sample, lang, 'v2'))).pdf)).map((page) => linesOf(page).join(' '))
  const [summary, factors] = await textsOf({ cut: true })
  expect(summary).toMatch(/≥ \$\d/)
  expect(summary).toMatch(lang === 'ko' ? /최소 \$61\.4k/ : /[Aa]t least \$61\.4k/)
  expect(factors).toMatch(/≥ \$\d/)
  expect((await textsOf({})).join(' ')).not.toMatch(/≥ \$/)
})

test.each(languages)('in %s, a worsening outlook names what makes it so', async (lang) => {
  const firstPageOf = async (sample: Sample) => {
    const [first = []] = await readTexts((await makePdf(inputsOf(sample, lang, 'v1'))).pdf)
    return linesOf(first).join(' ')
  }
  expect(await firstPageOf({})).toContain(lang === 'ko' ? '거래소 지정 중' : 'an official flag stands')
  expect(await firstPageOf({ alerts: ['crash'] })).toContain(lang === 'ko' ? '위기 진행 중' : 'a crisis is open')
})

test.each(languages)('in %s, the first page has the day on which an announcement takes effect', async (lang) => {
  const inputs = inputsOf(samples['a pair whose venue announced its end'] ?? {}, lang, 'v1')
  const [first = []] = await readTexts((await makePdf(inputs)).pdf)
  const begin = lang === 'ko' ? '2026-12-01 시행: ST: KuCoin' : 'effective 2026-12-01: ST: KuCoin'
  expect(first.some(({ text }) => text.startsWith(begin))).toBe(true)
})

test.each(languages)('in %s, a chart of hours names the day of its hours', async (lang) => {
  const textsOf = async (openScans: number, to: string) =>
    (await readTexts((await makePdf(inputsOf({ buckets: 3, openScans, hours: 0, to }, lang, 'v2'))).pdf))
      .flat()
      .map(({ text }) => text)
  // Of a morning the first mark names the day; of a night midnight does.
  const morning = await textsOf(37, '2026-11-21T08:37:00.000Z')
  expect(morning).toContain(lang === 'ko' ? '11.21 02:00' : '21 Nov 02:00')
  const night = await textsOf(37, '2026-11-21T02:37:00.000Z')
  expect(night).toContain(lang === 'ko' ? '11.21' : '21 Nov')
  expect(night).toContain('22:00')
})

test.each(languages)('in %s, the past of a rank that a warning raised is said to know no warnings', async (lang) => {
  const [first = []] = await readTexts((await makePdf(inputsOf({}, lang, 'v1'))).pdf)
  const shown = linesOf(first).join(' ')
  expect(shown).toMatch(lang === 'ko' ? /60점에서 상향/ : /raised it from 60/)
  expect(shown).toMatch(lang === 'ko' ? /표본에 거래소 지정과 위기 경보는 없음/ : /knew no warnings and no crises/)
})

test.each(languages)('in %s, a page states one present depth', async (lang) => {
  const [first = []] = await readTexts((await makePdf(inputsOf({}, lang, 'v1'))).pdf)
  const own = linesOf(first).filter((line) => !/RNDR|ENJ|CELO|ZRX/.test(line))
  const depths = own.flatMap((line) => [...line.matchAll(lang === 'ko' ? /잔량 (\$[\d.]+k)/g : /(\$[\d.]+k) rests/g)])
  expect(depths.map(([, depth]) => depth)).toEqual(['$61.4k'])
  expect(own.join(' ')).not.toContain('$175k')
})

test.each(languages)(
  'in %s, the sum of a volume is printed with the share of minutes whose volume is known',
  async (lang) => {
    const [, second = []] = await readTexts((await makePdf(inputsOf({}, lang, 'v2'))).pdf)
    expect(linesOf(second).join(' ')).toContain(lang === 'ko' ? '거래대금이 확인된 분 99.2%' : '99.2% of minutes known')
  },
)
