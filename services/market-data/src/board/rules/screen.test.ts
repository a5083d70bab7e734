import { boardRow, letter, lifecycle, type BoardRow } from '@svc/contracts/market-data/board'
import { BOARD_FIELDS, BOARD_SORTS, boardQuery, type BoardQuery } from '@svc/contracts/market-data/screener'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chosen, screen } from './screen.ts'
import { screenedOf } from './screen-order.ts'
import { search } from './search.ts'

const row = (id: string, more: Partial<BoardRow> = {}): BoardRow => ({
  token_id: id,
  exchange: 'gate',
  symbol: `${id.toUpperCase()}/USDT`,
  base: id.toUpperCase(),
  quote: 'USDT',
  name: null,
  name_from: null,
  name_ko: null,
  name_ko_from: null,
  grade: null,
  gpa: null,
  gpa_is_lower_bound: false,
  grades: { spread: null, depth: null, volume: null, stability: null },
  spread_bps: null,
  depth_2pct_usd: null,
  depth_is_lower_bound: false,
  volume_24h_usd: null,
  price: null,
  change_24h_pct: null,
  lifecycle: 'active',
  outlook: null,
  risk_score: null,
  flags: [],
  alerts: [],
  recent_alerts: [],
  updated_at: null,
  ...more,
})

const alert = (rule: 'crash' | 'halt', severity: number) => ({
  episode_id: 'cri_1',
  rule,
  severity,
  opened_at: '2026-11-21T10:00:00.000Z',
  text: { en: '', ko: '' },
})
const flag = (meaning: 'caution' | 'warning') => ({
  flag: meaning,
  meaning,
  since: '2026-11-21T10:00:00.000Z',
  effective_at: null,
  source: null,
  published_at: null,
  lateness_seconds: null,
})
const maybe = (max: number) => fc.option(fc.integer({ min: 0, max }))
const anyRows = fc
  .array(
    fc.record({
      exchange: fc.constantFrom('gate', 'upbit'),
      quote: fc.constantFrom('USDT', 'KRW'),
      grade: fc.option(fc.constantFrom(...letter.options)),
      gpa: maybe(4),
      risk_score: maybe(100),
      volume_24h_usd: maybe(5),
      spread_bps: maybe(5),
      depth_2pct_usd: maybe(5),
      change_24h_pct: fc.option(fc.integer({ min: -3, max: 3 })),
      lifecycle: fc.constantFrom(...lifecycle.options),
      alerts: fc.constantFrom<BoardRow['alerts'][]>(
        null,
        [],
        [alert('crash', 1)],
        [alert('halt', 3), alert('crash', 1)],
      ),
      flags: fc.constantFrom<BoardRow['flags'][]>([], [flag('caution')], [flag('warning'), flag('caution')]),
    }),
    { maxLength: 30 },
  )
  .map((list) => list.map((more, index) => row(`token${index}`, more)))
const anyQuery = fc.record(
  {
    token_id: fc.constantFrom('token0', 'token1,token2,unknown'),
    exchange: fc.constantFrom('gate', 'upbit'),
    quote: fc.constantFrom('USDT', 'KRW,USDT'),
    grade: fc.constantFrom('A+', 'A ,B', 'F,D-,C+'),
    gpa_min: fc.constantFrom('1', '3'),
    risk_score_max: fc.constantFrom('20', '80'),
    volume_24h_usd_min: fc.constant('2'),
    lifecycle: fc.constantFrom('active', 'halted,watch,active'),
    alerts: fc.constantFrom('open', 'none', 'unknown'),
    alert_rule: fc.constantFrom('crash', 'halt,depeg'),
    alert_severity_min: fc.constantFrom('2', '3'),
    flags: fc.constantFrom('any', 'none'),
    flag_meaning: fc.constantFrom('warning', 'caution,delisted_elsewhere'),
    sort: fc.constantFrom(...BOARD_SORTS),
    order: fc.constantFrom('asc', 'desc'),
    limit: fc.constantFrom('1', '3', '100'),
    offset: fc.constantFrom('0', '2'),
  },
  { requiredKeys: [] },
)

/** What the filters mean, one row at a time. */
function isWanted(one: BoardRow, query: BoardQuery): boolean {
  const words = (text: string) => text.split(',').map((word) => word.replace(' ', '+'))
  const known = one.alerts ?? []
  return (
    (query.token_id === undefined || words(query.token_id).includes(one.token_id)) &&
    (query.exchange === undefined || one.exchange === query.exchange) &&
    (query.quote === undefined || words(query.quote).includes(one.quote)) &&
    (query.grade === undefined || (one.grade !== null && words(query.grade).includes(one.grade))) &&
    (query.gpa_min === undefined || (one.gpa !== null && one.gpa >= query.gpa_min)) &&
    (query.risk_score_max === undefined || (one.risk_score !== null && one.risk_score <= query.risk_score_max)) &&
    (query.volume_24h_usd_min === undefined || (one.volume_24h_usd ?? -1) >= query.volume_24h_usd_min) &&
    (query.lifecycle === undefined || words(query.lifecycle).includes(one.lifecycle)) &&
    (query.alerts !== 'open' || known.length > 0) &&
    (query.alerts !== 'none' || (one.alerts !== null && known.length === 0)) &&
    (query.alerts !== 'unknown' || one.alerts === null) &&
    ((query.alert_rule === undefined && query.alert_severity_min === undefined) ||
      known.some(
        ({ rule, severity }) =>
          severity >= (query.alert_severity_min ?? 1) &&
          (query.alert_rule === undefined || words(query.alert_rule).includes(rule)),
      )) &&
    (query.flags === undefined || one.flags.length > 0 === (query.flags === 'any')) &&
    (query.flag_meaning === undefined ||
      one.flags.some(({ meaning }) => words(query.flag_meaning ?? '').includes(meaning)))
  )
}

describe('the screener', () => {
  it('returns exactly the rows that pass all filters, and pages that together are all of them in one order', () => {
    fc.assert(
      fc.property(anyRows, anyQuery, (rows, given) => {
        const query = boardQuery.parse(given)
        const screened = screenedOf(rows)
        const wanted = rows.filter((one) => isWanted(one, query)).map(({ token_id }) => token_id)
        const page = screen(screened, query)
        const whole = screen(screened, { ...query, limit: 2_500, offset: 0 })
        expect(whole.rows.map(({ token_id }) => token_id).toSorted()).toEqual(wanted.toSorted())
        expect([page.total, whole.total]).toEqual([wanted.length, wanted.length])
        expect(page.rows).toEqual(whole.rows.slice(query.offset, query.offset + query.limit))
      }),
    )
  })

  it('orders by each value in both directions, unknown values last and equal values by id', () => {
    const rows = [row('a', { gpa: 2 }), row('b'), row('c', { gpa: 3 }), row('d', { gpa: 2 })]
    const ids = (query: object) =>
      screen(screenedOf(rows), boardQuery.parse(query))
        .rows.map(({ token_id }) => token_id)
        .join('')
    expect(ids({ sort: 'gpa' })).toBe('cadb')
    expect(ids({ sort: 'gpa', order: 'asc' })).toBe('adcb')
    expect(ids({ sort: 'symbol' })).toBe('abcd')
    expect(ids({ sort: 'symbol', order: 'desc' })).toBe('dcba')
  })

  it('returns the chosen members of a row, always with its identity and its alerts', () => {
    const [one] = chosen([row('a', { gpa: 2 })], 'gpa,risk_score')
    expect(one).toEqual({
      token_id: 'a',
      alerts: [],
      recent_alerts: [],
      exchange: 'gate',
      symbol: 'A/USDT',
      gpa: 2,
      risk_score: null,
    })
    expect([...BOARD_FIELDS, 'token_id', 'exchange', 'symbol'].toSorted()).toEqual(
      Object.keys(boardRow.shape).toSorted(),
    )
  })

  it('rejects an unknown word by its member, and names what is allowed', () => {
    const fault = (query: object) => {
      const [issue] = boardQuery.safeParse(query).error?.issues ?? []
      return `${issue?.path.join('/')}: ${issue?.message}`
    }
    expect(fault({ grade: 'A,G' })).toMatch(/^grade: "G" is not known here; use one or more of A\+, A, A-/)
    expect(fault({ fields: 'gpa,inputs' })).toMatch(/^fields: "inputs" is not known here; use one or more of base, /)
    expect(fault({ lifecycle: 'active,active' })).toContain('lifecycle: a word stands twice')
    expect(fault({ sort: 'price' })).toMatch(/^sort: .*"volume"\|"gpa"\|"risk_score"/)
    expect(fault({ gpa_min: '5' })).toMatch(/^gpa_min: .*4\.3/)
    expect(fault({ gpa_min: '3', gpa_max: '2' })).toBe('gpa_max: is below gpa_min; give a gpa_max of at least 3')
    expect(fault({ quote: 'usdt' })).toMatch(/^quote: write at most 20 quote currencies in capitals/)
    expect(fault({ token_id: 'gate_btc_usdt,btc' })).toMatch(
      /^token_id: write at most 100 token ids, separated by commas/,
    )
    expect(fault({ token_id: Array.from({ length: 101 }, (_, at) => `gate_t${at}_usdt`).join(',') })).toContain('100')
    expect(fault({ risk_min: '5' })).toContain('Unrecognized key')
  })
})

describe('search', () => {
  const found = (rows: BoardRow[], text: string) => search(screenedOf(rows), text).map(({ base }) => base)

  it('returns the exact base or name first, then beginnings, then other matches, in any case', () => {
    const rows = ['WBTC', 'BTCST', 'BTC', 'ETH'].map((base) => row(base.toLowerCase()))
    expect(found([...rows, row('x', { name: 'Wrapped btc' }), row('y', { name: 'Btc' })], ' bTc ')).toEqual([
      'BTC', 'Y', 'BTCST', 'WBTC', 'X',
    ]) // prettier-ignore
    expect(found(rows, '%')).toEqual([])
  })

  it('finds Korean names by their beginning or middle, composed or decomposed, with or without spaces', () => {
    const rows = [
      row('bch', { name_ko: '비트코인 캐시' }),
      row('btc', { name_ko: '비트코인' }),
      row('eth', { name_ko: '이더리움' }),
    ]
    expect(found(rows, '비트코인')).toEqual(['BTC', 'BCH'])
    expect(found(rows, '비트코인'.normalize('NFD'))).toEqual(['BTC', 'BCH'])
    expect(found(rows, '비트코인캐시')).toEqual(['BCH'])
    expect(found(rows, '코인')).toEqual(['BCH', 'BTC'])
    expect(found(rows, '리플')).toEqual([])
  })

  it('matches no text across a symbol and a name', () => {
    expect(found([row('btc', { name: 'Bitcoin' })], 'usdtbit')).toEqual([])
  })
})
