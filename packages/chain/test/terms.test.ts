import fc from 'fast-check'
import { opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { hashTypedData, keccak256, maxUint128, type Hex, recoverTypedDataAddress, stringToHex, zeroAddress } from 'viem'
import { prepare, read, termsOf, termsWithClauses, type Clause, type MandateTerms } from '../src/index.ts'
import { rawDigest } from './raw-eip712.ts'
import { agent, owner, testChain } from './harness.ts'

const long = process.env['TEST_LONG'] === '1'
const runs = { numRuns: long ? 2_000 : 20, ...(process.env['TEST_SEED'] && { seed: Number(process.env['TEST_SEED']) }) }

const t = opened(() => testChain())

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((raw): Hex => `0x${Buffer.from(raw).toString('hex')}`)
const amount = fc.oneof(fc.bigInt(0n, maxUint128), fc.constantFrom(0n, 1n, maxUint128))
/** Texts that break encoders: quotes, line ends, emoji with joiners, Korean, right-to-left, null, and 10 kB of them. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom('', '"', '\'\\"\n\r\t', '🧑‍🚀🇰🇷👩‍👩‍👧‍👦', '위임 조건: 하루 150 USDC', 'שלום', '\u0000', 'é', 'é'),
  fc.constantFrom('"', '한', '🧨', 'a').map((piece) => piece.repeat(10_240 / Buffer.byteLength(piece))),
)
const clauses = fc
  .array(fc.record({ number: fc.integer({ min: 0, max: 255 }), text }), { minLength: 8, maxLength: 8 })
  .map((list): readonly Clause[] => list)
const terms: fc.Arbitrary<MandateTerms> = fc.record({
  mandateId: text,
  owner: hex(20),
  agent: hex(20),
  feeRecipient: hex(20),
  usdc: hex(20),
  legGateway: fc.oneof(hex(20), fc.constant(zeroAddress)),
  budget: amount,
  perTxCap: amount,
  dailyCap: amount,
  approvalAbove: fc.option(amount, { nil: null }),
  stopLine: amount,
  legBudget: amount,
  endsAt: fc.bigInt(0n, 253_402_300_799n),
  feeBps: fc.bigInt(0n, 65_535n),
  markets: fc.array(
    fc.record({
      id: text,
      title: text,
      calls: fc.array(fc.record({ target: hex(20), selector: hex(4) }), { maxLength: 16 }),
    }),
    { maxLength: 2 },
  ),
})

describe('the digest of the terms', () => {
  test('is the same from viem, from the factory of either version, and from EIP-712 written out by hand', async () => {
    const factories = [t.at('factory'), t.at('factory_v2')] as const
    await fc.assert(
      fc.asyncProperty(terms, clauses, fc.constantFrom(...factories), async (numbers, texts, factory) => {
        const signable = termsWithClauses(numbers, texts, { chainId: 31_337, factory })
        const onChain = await read(t.chain).factory(factory).termsHash({ t: signable.factoryTerms })
        const { budget, perTxCap, dailyCap, approvalAbove, stopLine, legBudget, endsAt } = signable.factoryTerms
        const figures = [budget, perTxCap, dailyCap, approvalAbove, stopLine, legBudget, endsAt, numbers.feeBps]
        const raw = rawDigest(
          { ...numbers, figures, calls: signable.factoryTerms.calls, clauses: texts },
          31_337n,
          factory,
        )
        expect(onChain).toBe(raw)
        expect(signable.digest).toBe(raw)
        expect(signable.mandateIdHash).toBe(keccak256(stringToHex(numbers.mandateId)))
      }),
      runs,
    )
  })

  test('is what a wallet hashes from the JSON it is sent', () => {
    fc.assert(
      fc.property(terms, (numbers) => {
        const { typedData, digest } = termsOf(numbers, { chainId: 31_337, factory: t.at('factory') })
        const received = JSON.parse(JSON.stringify(typedData)) as Parameters<typeof hashTypedData>[0]
        expect(hashTypedData(received)).toBe(digest)
      }),
      runs,
    )
  })

  test('changes with the chain, the factory, every figure and every character', () => {
    fc.assert(
      fc.property(terms, clauses, (numbers, texts) => {
        const domain = { chainId: 31_337, factory: t.at('factory') }
        const digest = (change: Partial<MandateTerms> = {}, words = texts, where = domain) =>
          termsWithClauses({ ...numbers, ...change }, words, where).digest
        const others = [
          digest({}, texts, { ...domain, chainId: 1 }),
          digest({}, texts, { ...domain, factory: zeroAddress as never }),
          digest({ budget: numbers.budget ^ 1n }),
          digest({ endsAt: numbers.endsAt ^ 1n }),
          digest({ mandateId: `${numbers.mandateId} ` }),
          digest({}, [{ ...texts[0]!, text: `${texts[0]!.text} ` }, ...texts.slice(1)]),
          digest({}, texts.toSpliced(0, 2, texts[1]!, { ...texts[0]!, text: `${texts[0]!.text}.` })),
        ]
        expect(new Set([digest(), ...others]).size).toBe(others.length + 1)
      }),
      runs,
    )
  })

  test('is what the vault was created with, and what the owner signed', async () => {
    const endsAt = BigInt(await t.anvil.now()) + 86_400n
    const signable = termsOf(
      {
        mandateId: 'mdt_signed',
        owner: owner.address,
        agent: agent.address,
        feeRecipient: agent.address,
        usdc: t.at('usdc'),
        legGateway: zeroAddress,
        budget: 500_000_000n,
        perTxCap: 50_000_000n,
        dailyCap: 150_000_000n,
        approvalAbove: null,
        stopLine: 0n,
        legBudget: 0n,
        endsAt,
        feeBps: 1_000n,
        markets: [{ id: 'testvenue', title: 'Test venue', calls: [{ target: t.at('venue'), selector: '0xfc18d034' }] }],
      },
      { chainId: 31_337, factory: t.at('factory') },
    )
    const signature = await owner.signTypedData?.(signable.typedData as never)
    const signed = { ...signable.typedData, signature } as unknown as Parameters<typeof recoverTypedDataAddress>[0]
    expect(await recoverTypedDataAddress(signed)).toBe(owner.address)
    await t.send(owner, prepare(31_337).factory(t.at('factory')).createVault({ t: signable.factoryTerms }))
    const vault = await read(t.chain)
      .factory(t.at('factory'))
      .vaultOf({ owner: owner.address, mandateIdHash: signable.mandateIdHash })
    const pinned = await read(t.chain).vault(vault).terms()
    expect(pinned.termsHash).toBe(signable.digest)
  })
})
