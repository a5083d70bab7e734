import { expect, test } from 'vitest'
import { readApproval, type Known, type VenueTypedData } from './approvals.ts'

const NOW = Date.parse('2026-11-22T10:00:00.000Z')
const WEB = '0x1111111111111111111111111111111111111111'
const KEY = '0x2222222222222222222222222222222222222222'
const BUILDER = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const known: Known = {
  network: 'testnet',
  now: NOW,
  builder: { configured: true, builder: BUILDER, max_fee_rate: '0.1%', max_fee: 100 },
  webAddress: WEB,
}
const typed = (primary: string, fields: string, message: Record<string, string | number>): VenueTypedData => ({
  domain: {
    name: 'HyperliquidSignTransaction',
    version: '1',
    chainId: 31_337,
    verifyingContract: `0x${'0'.repeat(40)}`,
  },
  types: {
    [`HyperliquidTransaction:${primary}`]: fields.split(' ').map((one) => {
      const [name = '', type = ''] = one.split(':')
      return { name, type }
    }),
  },
  primaryType: `HyperliquidTransaction:${primary}`,
  message,
})
const agent = (over: Record<string, string | number> = {}) =>
  typed('ApproveAgent', 'hyperliquidChain:string agentAddress:address agentName:string nonce:uint64', {
    hyperliquidChain: 'Testnet',
    agentAddress: WEB,
    agentName: `svc-web valid_until ${NOW + 86_400_000}`,
    nonce: NOW,
    ...over,
  })
const fee = (over: Record<string, string | number> = {}) =>
  typed('ApproveBuilderFee', 'hyperliquidChain:string maxFeeRate:string builder:address nonce:uint64', {
    hyperliquidChain: 'Testnet',
    maxFeeRate: '0.1%',
    builder: BUILDER.toLowerCase(),
    nonce: NOW,
    ...over,
  })

test('the wallet gets typed data that the page wrote, with the members that were served', () => {
  const read = readApproval('web_key', agent(), known)
  expect(read.typedData?.message).toEqual(agent().message)
  expect(read.typedData?.types).toHaveProperty('EIP712Domain')
  expect(readApproval('builder_fee', fee(), known).typedData?.message).toEqual(fee().message)
  const orderKey = agent({ agentAddress: KEY, agentName: `svc-trade valid_until ${NOW + 170 * 86_400_000}` })
  expect(readApproval('order_key', orderKey, known)).toMatchObject({ fault: null, until: NOW + 170 * 86_400_000 })
})

test('any other figure is told and never reaches the wallet', () => {
  const faults = [
    [readApproval('web_key', agent({ agentAddress: KEY }), known), 'agentAddress'],
    [
      readApproval('web_key', agent({ agentName: `svc-web valid_until ${NOW + 3 * 86_400_000}` }), known),
      'valid_until',
    ],
    [readApproval('web_key', agent({ agentName: 'svc-web' }), known), 'agentName'],
    [readApproval('order_key', agent(), known), 'agentName'],
    [readApproval('web_key', agent({ hyperliquidChain: 'Mainnet' }), known), 'hyperliquidChain'],
    [readApproval('web_key', agent({ extra: 'x' }), known), 'extra'],
    [readApproval('builder_fee', fee({ maxFeeRate: '1%' }), known), 'maxFeeRate'],
    [readApproval('builder_fee', fee({ builder: KEY }), known), 'builder'],
    [readApproval('builder_fee', fee(), { ...known, builder: null }), 'builder'],
    [readApproval('builder_fee', agent(), known), 'primaryType'],
    [readApproval('web_key', { ...agent(), domain: { ...agent().domain, name: 'Other' } }, known), 'domain.name'],
    [readApproval('web_key', agent({ nonce: 5 }), known), 'nonce'],
  ] as const
  for (const [read, fault] of faults) expect(read).toEqual({ typedData: null, fault })
})

test('a form with another field is told', () => {
  const served = agent()
  const types = {
    ...served.types,
    [served.primaryType]: [...(served.types[served.primaryType] ?? []), { name: 'x', type: 'string' }],
  }
  expect(readApproval('web_key', { ...served, types }, known)).toMatchObject({ fault: 'types' })
})
