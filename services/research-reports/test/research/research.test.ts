import { opened, refusalOf } from '@svc/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { CALLS, codeSizeCall } from '#research/rules/onchain.ts'
import { account, startRig, type Rig } from '../rig.ts'
import { sampleHistory } from '../sample-history.ts'

const pair = { exchange: 'binance', symbol: 'FTT/USDT' }
const rig = opened(() => startRig())
beforeAll(async () => {
  rig.world.histories.set('7 binance FTT/USDT', sampleHistory())
})

describe('research of a target', () => {
  test('has every section, with medians, intervals, ranks and shares that follow from the history', async () => {
    const history = sampleHistory()
    const found = await rig.as(account(7)).readPairResearch(pair)
    expect(Object.keys(found)).toEqual([
      'meta',
      'market',
      'events',
      'kpi_2h',
      'percentiles',
      'microburst',
      'onchain',
      'data_health',
    ])
    expect(found.meta).toMatchObject({
      research_version: 'v1',
      token_id: 'binance_ftt_usdt',
      days: 21,
      grade: 'B-',
      outlook: 'worsening',
      outlook_reason: null,
      warnings: ['replayed_data'],
    })
    expect(found.kpi_2h.buckets).toEqual(history.buckets)
    const spreads = history.buckets.slice(0, -1).map(({ spread_bps }) => spread_bps ?? NaN)
    const sorted = spreads.toSorted((a, b) => a - b)
    expect(found.kpi_2h.summary.spread_bps).toEqual({
      value: ((sorted[125] ?? 0) + (sorted[126] ?? 0)) / 2,
      low: sorted[109],
      high: sorted[142],
      n: 252,
      basis: 'buckets',
    })
    expect(found.percentiles.own_history.map(({ key, n }) => [key, n])).toEqual([
      ['spread', 252],
      ['depth', 252],
      ['volume', 252],
    ])
    expect(found.microburst).toMatchObject({ reason: null, captures: 48, burst_count: 17, bursts_per_hour: 21.25 })
    expect(found.onchain).toEqual({ reason: 'no_approved_address', value: null })
    expect(found.data_health).toMatchObject({ grade: 'A', coverage: history.health.ok / history.health.expected })
  })

  test('has what the chain says about the approved contract, or why nothing is known', async () => {
    const address = '0x50D1c9771902476076eCFc8B2A83Ad6b9355a4c9'
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
    const answers = new Map([
      [codeSizeCall(address), word(2_000n)],
      [CALLS.totalSupply, word(5n * 10n ** 24n)],
    ])
    const onchain = async (accountId: number, chain: string, seen: Rig['world']['chain']) => {
      rig.world.chain = seen
      rig.world.histories.set(`${accountId} binance FTT/USDT`, sampleHistory({ contract: { chain, address } }))
      return (await rig.as(account(accountId)).readPairResearch(pair)).onchain
    }
    const unknown = { total_supply: null, decimals: null, code_present: null, read_at: null }
    expect(await onchain(31, 'bsc', null)).toMatchObject({ reason: 'not_indexed', value: unknown })
    expect(await onchain(32, 'polygon', { id: 1, answers })).toMatchObject({ reason: 'not_indexed', value: unknown })
    expect(await onchain(33, 'base', { id: 8453, answers: new Map() })).toMatchObject({
      reason: 'chain_unavailable',
      value: unknown,
    })
    expect(await onchain(34, 'ethereum', { id: 1, answers })).toEqual({
      reason: null,
      value: {
        blockchain: 'ethereum',
        contract_address: address,
        total_supply: '5000000000000000000000000',
        decimals: null,
        code_present: true,
        read_at: '2026-11-21T08:30:00.000Z',
      },
    })
    // Within the hour the same figures are told without asking again.
    expect(await onchain(35, 'ethereum', null)).toMatchObject({ reason: null, value: { code_present: true } })
  })

  test('is the same by path, with an underscore, and covers 1 to 90 days', async () => {
    const byPath = await rig.as(account(7)).readResearch({ exchange: 'binance', symbol: 'FTT_USDT', days: 90 })
    const byQuery = await rig.as(account(7)).readPairResearch({ ...pair, days: 90 })
    expect(byPath).toEqual(byQuery)
    expect(rig.world.asked.slice(-2)).toEqual([90, 90])
    for (const days of [0, 91, 1.5])
      expect(await refusalOf(rig.as(account(7)).readPairResearch({ ...pair, days }))).toMatchObject({
        status: 400,
        code: 'invalid_request',
      })
  })

  test('with few scans shows the interval of the scans, or none below six, and says so', async () => {
    rig.world.histories.set('8 binance FTT/USDT', sampleHistory({ buckets: 2, openScans: 40, coverage: 1 }))
    const few = await rig.as(account(8)).readPairResearch(pair)
    expect(few.kpi_2h.summary.spread_bps).toMatchObject({ n: 40, basis: 'scans' })
    expect(few.kpi_2h.summary.spread_bps.low).not.toBeNull()
    expect(few.kpi_2h.summary.volume_usd).toMatchObject({ n: 2, low: null, high: null })
    expect(few.percentiles.own_history.every(({ percentile }) => percentile === null)).toBe(true)
    rig.world.histories.set(
      '8 binance FTT/USDT',
      sampleHistory({ buckets: 0, openScans: 3, coverage: 1, board: false }),
    )
    const fewer = await rig.as(account(8)).readPairResearch(pair)
    expect(fewer.kpi_2h.summary.spread_bps).toMatchObject({ low: null, high: null, n: 3 })
    expect(fewer.meta).toMatchObject({ grade: null, outlook: null, outlook_reason: 'no_board' })
    expect(fewer.meta.warnings).toEqual(['few_scans', 'no_board', 'replayed_data'])
  })

  test('knows of the volume the share of known minutes of the complete buckets, and nothing before the first one', async () => {
    const history = sampleHistory({ buckets: 2, openScans: 40, coverage: 1 })
    const buckets = history.buckets.map((bucket, place) => ({ ...bucket, volume_minutes: [120, 60, 40][place] ?? 0 }))
    const coverageOf = async (told: typeof history) => {
      rig.world.histories.set('10 binance FTT/USDT', told)
      return (await rig.as(account(10)).readPairResearch(pair)).kpi_2h.summary.volume_coverage
    }
    expect(await coverageOf({ ...history, buckets })).toBe(0.75)
    expect(await coverageOf({ ...history, buckets: buckets.slice(2) })).toBeNull()
  })

  test('below grade C of data health warns and withholds the outlook', async () => {
    rig.world.histories.set('9 binance FTT/USDT', sampleHistory({ coverage: 0.8 }))
    const poor = await rig.as(account(9)).readPairResearch(pair)
    expect(poor.data_health.grade).toBe('D')
    expect(poor.meta).toMatchObject({ outlook: null, outlook_reason: 'poor_data' })
    expect(poor.meta.warnings).toContain('poor_coverage')
  })

  test.each(['readPairResearch', 'readResearch'] as const)(
    '%s refuses what is no target, no pair or no symbol of its form',
    async (key) => {
      const [right, wrong, form] =
        key === 'readResearch' ? ['_', '-', 'BASE_QUOTE, for example'] : ['/', '_', 'BASE/QUOTE with a slash']
      const ask = (accountId: number, symbol: string) =>
        refusalOf(rig.as(account(accountId))[key]({ exchange: 'binance', symbol }))
      expect(await ask(1, `FTT${right}USDT`)).toMatchObject({ status: 403, code: 'not_a_target' })
      expect(await ask(7, `NONE${right}USDT`)).toMatchObject({ status: 404, code: 'unknown_pair' })
      const refused = await ask(7, `FTT${wrong}USDT`)
      expect(refused).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer: '/symbol' }] })
      expect(JSON.stringify(refused['errors'])).toContain(form)
    },
  )
})
