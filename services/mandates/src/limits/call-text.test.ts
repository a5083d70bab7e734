import { prepare } from '@svc/chain'
import { stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { callText } from './call-text.ts'
import { marketsOf } from './market-catalogue.ts'

const VENUE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const NOW = new Date('2026-11-21T10:00:00.000Z')
const leg = { list: null, enabled: false, network: 'testnet', now: NOW } as const
const deployment = { venues: [VENUE], venueAdapter: true, venueInstruments: ['ETH'] } as unknown
const markets = marketsOf(deployment as Parameters<typeof marketsOf>[0], leg)
const venue = prepare(31_337).venue(VENUE)
const m = stringToHex('ETH', { size: 32 })
const said = (data: string) => callText({ target: VENUE, data }, markets)

test('each call of the venue is said in a sentence, by the catalogue that the API lists', () => {
  expect(said(venue.buy({ m, usdcIn: 45_000_000n, minUnits: 15_000n }).data)).toBe(
    'Buy ETH for 45 USDC, at most 3000 USDC for 1 ETH',
  )
  expect(said(venue.sell({ m, n: 2_000_000n, minOut: 5_999_000_000n }).data)).toBe(
    'Sell 2 ETH, at least 2999.5 USDC for 1 ETH',
  )
  expect(said(venue.sell({ m, n: 2_000_000n, minOut: 1n }).data)).toBe('Sell 2 ETH, at any price')
  expect(said(venue.redeem({ m }).data)).toBe('Redeem all ETH')
})

test('a call with a byte too many, and one that is not listed, are not said', () => {
  expect(said(`${venue.redeem({ m }).data}00`)).toBeNull()
  expect(said('0x12345678')).toBeNull()
})
