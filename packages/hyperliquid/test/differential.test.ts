import { encode } from '@msgpack/msgpack'
import {
  concat,
  getBytes,
  keccak256,
  Signature as EthersSignature,
  TypedDataEncoder,
  verifyTypedData,
  Wallet,
} from 'ethers'
import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { openLegSigner, openTradeSigner, orderToSign } from '../src/actions.ts'
import type { SignedAction } from '../src/l1.ts'
import type { Network } from '../src/network.ts'
import {
  approveAgent,
  approveBuilderFee,
  signerOf,
  typedDataOf,
  usdSend,
  type UserSignedAction,
} from '../src/user-signed.ts'

/** Comparisons of each kind: signed by agents, three a run, and by wallets. */
const comparisons = process.env['TEST_LONG'] === '1' ? 50_001 : 1_002

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
const key = hex(32).filter((text) => BigInt(text) > 0n && BigInt(text) < 2n ** 255n)
const decimals = fc
  .tuple(fc.bigInt(1n, 10n ** 12n), fc.nat(6))
  .map(([units, places]) => {
    const text = units.toString().padStart(places + 1, '0')
    const joined = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
    return joined.includes('.') ? joined.replace(/\.?0+$/, '') : joined
  })
  .filter((text) => text !== '0')
const network = fc.constantFrom<Network>('mainnet', 'testnet')
const nonce = fc.integer({ min: 1_600_000_000_000, max: 4_000_000_000_000 })
const order = fc.record({
  asset: fc.oneof(fc.nat(300), fc.integer({ min: 110_000, max: 190_200 })),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  price: decimals,
  size: decimals,
  reduceOnly: fc.boolean(),
  cloid: hex(16),
})
const builder = fc.record({ address: hex(20), fee: fc.nat(100) })

/** Computes the digest of an action as the venue's documentation describes it, with libraries that we do not use. */
function digestByOthers(body: { action: unknown; nonce: number; expiresAfter: number }, source: string): string {
  const uint64 = (value: number) => getBytes(`0x${value.toString(16).padStart(16, '0')}`)
  const bytes = concat([encode(body.action), uint64(body.nonce), '0x00', '0x00', uint64(body.expiresAfter)])
  return TypedDataEncoder.hash(
    { name: 'Exchange', version: '1', chainId: 1337, verifyingContract: `0x${'0'.repeat(40)}` },
    {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    { source, connectionId: keccak256(bytes) },
  )
}

function expectSameByOthers(secret: Hex, signed: SignedAction, on: Network): void {
  const body = JSON.parse(signed.body) as {
    action: unknown
    nonce: number
    expiresAfter: number
    signature: { r: string; s: string; v: number }
  }
  const digest = digestByOthers(body, on === 'mainnet' ? 'a' : 'b')
  const theirs = new Wallet(secret).signingKey.sign(digest)
  expect(EthersSignature.from(body.signature).serialized).toBe(theirs.serialized)
}

test('orders and collateral moves are hashed and signed as other libraries do it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ key, order, network, nonce, owner: hex(20), token: hex(16), amountUsdc: decimals, builder }),
      async (one) => {
        const account = privateKeyToAccount(one.key)
        const when = { nonce: one.nonce, nowMs: one.nonce + 7 }
        const scope = { network: one.network, owner: one.owner, dexes: ['', 'xyz'] }
        const leg = openLegSigner(account, scope)
        const trade = openTradeSigner(account, { network: one.network, builder: one.builder })
        const move = { sourceDex: '', destinationDex: 'xyz', token: `USDC:${one.token}`, amountUsdc: one.amountUsdc }
        for (const signed of [
          await leg.signOrder(one.order, when),
          await leg.signCollateralMove(move, when),
          await trade.signOrder(one.order, when),
        ])
          expectSameByOthers(one.key, signed, one.network)
        const { typedData, action, nonce, expiresAfter } = orderToSign(one.order, {
          ...one,
          expiresAfter: one.nonce + 9,
        })
        const signature = EthersSignature.from(await account.signTypedData(typedData))
        const body = JSON.stringify({ action, nonce, expiresAfter, signature })
        expectSameByOthers(one.key, { body, nonce, expiresAfter, hash: typedData.message.connectionId }, one.network)
      },
    ),
    { numRuns: comparisons / 3, seed: 20261122 },
  )
})

test('actions that wallets sign are hashed as other libraries do it, and their signer is recovered', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        key,
        network,
        nonce,
        chain: fc.integer({ min: 1, max: 2 ** 31 }),
        address: hex(20),
        amountUsdc: decimals,
        untilMs: nonce,
        kind: fc.nat(2),
      }),
      async (one) => {
        const scope = { network: one.network, signatureChainId: one.chain, nonce: one.nonce }
        const address: Address = one.address
        const actions: UserSignedAction[] = [
          approveAgent(scope, { address, name: 'svc-leg', validUntilMs: one.untilMs }),
          approveBuilderFee(scope, { builder: address, maxFeeRate: '0.1%' }),
          usdSend(scope, { destination: address, amountUsdc: one.amountUsdc }),
        ]
        const action = actions[one.kind] as UserSignedAction
        const { domain, types, message } = typedDataOf(action)
        const { EIP712Domain: _, ...own } = types
        const signature = await new Wallet(one.key).signTypedData(domain, own as never, message)
        const wallet = new Wallet(one.key).address
        expect(verifyTypedData(domain, own as never, message, signature)).toBe(wallet)
        const { r, s, v } = EthersSignature.from(signature)
        expect(await signerOf(action, { r: r as Hex, s: s as Hex, v })).toBe(wallet)
      },
    ),
    { numRuns: comparisons, seed: 20261122 },
  )
})
