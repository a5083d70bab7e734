import { opened, refusalOf } from '@svc/testing'
import { encodeFunctionData, parseAbi, stringToHex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { agent, startSeededRig, VENUE, type TestMandate } from '../rigs/seeded-rig.ts'

const ABI = parseAbi([
  'function buy(bytes32 m, uint256 usdcIn, uint256 minUnits)',
  'function sell(bytes32 m, uint256 n, uint256 minOut)',
  'function redeem(bytes32 m)',
])
const BTC = stringToHex('BTC', { size: 32 })

let mandate: TestMandate
const rig = opened(() => startSeededRig({ HUB_TEST_VENUE_INSTRUMENTS: 'BTC,ETH' }))
beforeAll(async () => {
  mandate = await rig.newMandate()
})

type Given = Omit<Parameters<ReturnType<typeof rig.as>['prepareExecution']>[0], 'public_id'>
const prepare = (given: Given) => rig.as(agent(21)).prepareExecution({ public_id: mandate.publicId, ...given })

test('the list of markets describes each call so that it can be written without another document', async () => {
  const { items } = await rig.as(agent(21)).listMarkets({})
  const venue = items.find(({ market_id }) => market_id === 'testvenue')
  expect(venue?.instruments).toEqual(['BTC', 'ETH'])
  expect(venue?.calls.map(({ action, parameters }) => [action, parameters?.map(({ name }) => name)])).toEqual([
    ['buy', ['instrument', 'usdc_in', 'min_units']],
    ['redeem', ['instrument']],
    ['sell', ['instrument', 'units', 'min_usdc_out']],
  ])
  for (const { function: signature, parameters = [] } of venue?.calls ?? [])
    expect(signature).toContain(`(${parameters.map(({ type }) => type).join(',')})`)
})

test.each<[Given, `0x${string}`]>([
  [
    {
      market: 'testvenue',
      action: 'buy',
      instrument: 'BTC',
      usdc_in: '1.5',
      min_units: '0',
      approve_amount_usdc: '1.5',
    },
    encodeFunctionData({ abi: ABI, functionName: 'buy', args: [BTC, 1_500_000n, 0n] }),
  ],
  [
    {
      market: 'testvenue',
      action: 'sell',
      instrument: 'BTC',
      units: '2',
      min_usdc_out: '0.000001',
      approve_amount_usdc: '0',
    },
    encodeFunctionData({ abi: ABI, functionName: 'sell', args: [BTC, 2_000_000n, 1n] }),
  ],
  [
    { market: 'testvenue', action: 'redeem', instrument: 'ETH', approve_amount_usdc: '0' },
    encodeFunctionData({ abi: ABI, functionName: 'redeem', args: [stringToHex('ETH', { size: 32 })] }),
  ],
])('a call by name is the call by its bytes: %j', async (named, data) => {
  const settled = (given: Given) =>
    prepare(given).then(
      (answer) => answer,
      (error: unknown) => JSON.parse(JSON.stringify(error)) as unknown,
    )
  const byName = await settled(named)
  expect(byName).toEqual(await settled({ target: VENUE, data, approve_amount_usdc: named.approve_amount_usdc }))
})

const BUY = { market: 'testvenue', action: 'buy', instrument: 'BTC', usdc_in: '1', min_units: '0' } as const
test.each<[string, Omit<Given, 'approve_amount_usdc'>, string[]]>([
  ['nothing', {}, ['/query/target', '/query/data']],
  ['a target alone', { target: VENUE }, ['/query/data']],
  ['both ways', { ...BUY, target: VENUE, data: '0x' }, ['/query/target', '/query/data']],
  ['bytes with an argument', { target: VENUE, data: '0x', units: '1' }, ['/query/units']],
  ['a market that does not exist', { ...BUY, market: 'nowhere' }, ['/query/market']],
  ['a market without calls', { ...BUY, market: 'hl:BTC' }, ['/query/action']],
  ['no action', { market: 'testvenue' }, ['/query/action']],
  ['an action alone', { action: 'buy' }, ['/query/market']],
  ['a missing argument', { ...BUY, min_units: undefined }, ['/query/min_units']],
  ['an argument of another call', { ...BUY, units: '1' }, ['/query/units']],
  ['an unknown instrument', { ...BUY, instrument: 'DOGE' }, ['/query/instrument']],
])('%s is refused by the name of each wrong member', async (_what, given, pointers) => {
  expect(await refusalOf(prepare({ ...given, approve_amount_usdc: '1' }))).toMatchObject({
    code: 'invalid_request',
    errors: pointers.map((pointer) => ({ pointer })),
  })
})

test.each<[Given, string]>([
  [{ ...BUY, min_units: '0', approve_amount_usdc: '1' }, 'Buy BTC for 1 USDC, at any price'],
  [
    { ...BUY, usdc_in: '45', min_units: '0.00075', approve_amount_usdc: '45' },
    'Buy BTC for 45 USDC, at most 60000 USDC for 1 BTC',
  ],
])('the answer to %j says what the call means', async (given, meaning) => {
  expect(await prepare(given)).toMatchObject({ meaning })
})

test('a call whose bytes cannot be read is answered without a meaning', async () => {
  const data = `${encodeFunctionData({ abi: ABI, functionName: 'buy', args: [BTC, 1_000_000n, 0n] })}00`
  expect(await prepare({ target: VENUE, data, approve_amount_usdc: '1' })).not.toHaveProperty('meaning')
})
