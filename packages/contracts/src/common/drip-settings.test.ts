import { loadSettings } from '@svc/contract'
import { expect, test } from 'vitest'
import { dripSettings, MAIN_CHAIN_IDS } from './drip-settings.ts'

const load = (more: Record<string, string>) => loadSettings(dripSettings, more)

test('no main network can be configured as a test chain, and none is by default', () => {
  for (const id of MAIN_CHAIN_IDS)
    expect(() => load({ SVC_GAS_DRIP_TEST_CHAINS: `31337,${id}` })).toThrow(
      'SVC_GAS_DRIP_TEST_CHAINS is invalid: must not contain the id of a main network',
    )
  expect([...load({}).dripTestChains].filter((id) => MAIN_CHAIN_IDS.has(id))).toEqual([])
  for (const id of [1, 10, 56, 137, 8_453, 42_161]) expect(MAIN_CHAIN_IDS.has(id)).toBe(true)
})

test('amounts of ether are read to the wei; a sign, an exponent, or a drip of nothing is rejected', () => {
  expect(load({ HUB_GAS_DRIP_ETH: '1.000000000000000001' }).dripEth).toBe(10n ** 18n + 1n)
  expect(load({}).dripEth).toBe(2n * 10n ** 15n)
  for (const text of ['-1', '1e-3', '0', '0.0', '', '.5', '1.0000000000000000001'])
    expect(() => load({ HUB_GAS_DRIP_ETH: text })).toThrow('HUB_GAS_DRIP_ETH is invalid')
})
