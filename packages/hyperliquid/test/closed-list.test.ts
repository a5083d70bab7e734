import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import * as everything from '../src/index.ts'
import { approveAgent, usdSend } from '../src/index.ts'
import * as signing from '../src/signing.ts'
import { openLegSigner, openTradeSigner } from '../src/signing.ts'

const account = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const owner = `0x${'a'.repeat(40)}` as const
const when = { nonce: 1_700_000_000_000, nowMs: 1_700_000_000_000 }
const order = {
  asset: 0,
  side: 'buy',
  price: '57000',
  size: '0.002',
  reduceOnly: false,
  cloid: `0x${'c1'.repeat(16)}`,
} as const
const token = `USDC:0x${'6d'.repeat(16)}`
const leg = openLegSigner(account, { network: 'testnet', owner, dexes: ['', 'xyz'] })

describe('what keys can sign', () => {
  test('the package exports no function that signs an arbitrary action, and its signers at an entry of their own', () => {
    expect(
      Object.keys(everything)
        .filter((name) => /sign|open/i.test(name))
        .toSorted(),
    ).toEqual(['normalizeSignature', 'openTransport', 'orderToSign', 'signerOf', 'userSignedBody'])
    expect(Object.keys(signing).toSorted()).toEqual([
      'deriveAccount',
      'openLegSigner',
      'openTradeSigner',
      'parseSeed',
      'signPoolSend',
      'storedAccount',
    ])
  })

  test('an order of a leg is immediate-or-cancel, has no builder and no vault, and expires in 15 s', async () => {
    const { body } = await leg.signOrder(order, when)
    expect(JSON.parse(body)).toEqual({
      action: {
        type: 'order',
        orders: [{ a: 0, b: true, p: '57000', s: '0.002', r: false, t: { limit: { tif: 'Ioc' } }, c: order.cloid }],
        grouping: 'na',
      },
      nonce: when.nonce,
      expiresAfter: when.nowMs + 15_000,
      signature: expect.anything() as unknown,
    })
  })

  test('an order of a linked account always names our builder', async () => {
    const trade = openTradeSigner(account, { network: 'mainnet', builder: { address: owner, fee: 100 } })
    expect(JSON.parse((await trade.signOrder(order, when)).body)).toMatchObject({
      action: { builder: { b: owner, f: 100 } },
    })
  })

  test('collateral goes to the owner only, whatever the request says', async () => {
    const move = { sourceDex: '', destinationDex: 'xyz', token, amountUsdc: '40', destination: `0x${'b'.repeat(40)}` }
    expect(JSON.parse((await leg.signCollateralMove(move, when)).body)).toMatchObject({
      action: { destination: owner },
    })
  })

  test.each([
    ['a dex that is not read', { destinationDex: 'spot' }],
    ['the same dex', { destinationDex: '' }],
    ['another token', { token: 'PURR:0xc1fb593aeffbeb02f85e0308e9956a90' }],
    ['a seventh decimal', { amountUsdc: '0.0000001' }],
    ['zero', { amountUsdc: '0' }],
    ['an exponent', { amountUsdc: '1e3' }],
  ])('a collateral move with %s is rejected', (_, change) => {
    const move = { sourceDex: '', destinationDex: 'xyz', token, amountUsdc: '40', ...change }
    expect(() => leg.signCollateralMove(move, when)).toThrow(RangeError)
  })

  test.each([
    ['a price with superfluous zeros', { price: '57000.0' }],
    ['a size of zero, which closes everything', { size: '0' }],
    ['a negative size', { size: '-1' }],
    ['a cloid of another length', { cloid: '0xc1' }],
  ])('an order with %s is rejected', (_, change) => {
    expect(() => leg.signOrder({ ...order, ...change } as typeof order, when)).toThrow(RangeError)
  })

  test.each(['0', '01', '1.0000001', '-5'])('the owner is not asked to sign a transfer of %j', (amountUsdc) => {
    const scope = { network: 'testnet', signatureChainId: 1, nonce: 1 } as const
    expect(() => usdSend(scope, { destination: owner, amountUsdc })).toThrow(RangeError)
  })

  test('the name of an agent cannot carry a second expiry', () => {
    const scope = { network: 'testnet', signatureChainId: 1, nonce: 1 } as const
    expect(() => approveAgent(scope, { address: owner, name: 'a valid_until 9', validUntilMs: 1 })).toThrow(RangeError)
  })
})
