import { abis } from '@svc/chain'
import { describe, expect, test } from 'vitest'
import { encodeFunctionData, hashTypedData, toFunctionSelector, type AbiFunction } from 'viem'
import {
  creationData,
  differencesOfTerms,
  editionSigned,
  marketsOf,
  predictionData,
  writeEditions,
  writeTerms,
  type ServedTerms,
} from './terms.ts'
import type { Address } from './wallet.ts'

const at = (n: number): Address => `0x${String(n).padStart(40, '0')}`
const venue = at(7)
const catalogue = [
  {
    market_id: 'testvenue',
    title: 'Test venue',
    calls: [
      { target: venue, selector: '0xfc18d034' },
      { target: venue, selector: '0xeda1122c' },
    ],
  },
]
const inputs = {
  publicId: 'mdt_0123456789abcdef0123456789abcdef',
  owner: at(1),
  agent: at(2),
  figures: {
    budget: 500_000_000n,
    perTxCap: 60_000_000n,
    dailyCap: 150_000_000n,
    approvalAbove: 40_000_000n,
    stopLine: 400_000_000n,
    endsAt: 1_800_000_000n,
    feeBps: 1_000n,
  },
  legBudget: 0n,
  markets: marketsOf(['testvenue'], catalogue, [venue]).markets,
  deployment: { chainId: 31_337, factory: at(5), usdc: at(6), legGateway: null },
}
const own = writeTerms(inputs)

/** The answer of an honest service, as it comes over the wire. */
const honest = (): ServedTerms & {
  typed_data: { domain: Record<string, unknown>; message: Record<string, unknown> }
} =>
  JSON.parse(
    JSON.stringify({
      terms_hash: own.digest,
      typed_data: own.typedData,
      clauses: own.clauses.map(({ number, text }) => ({ n: number, text })),
    }),
  )
const members = (served: ServedTerms) => differencesOfTerms(own, served).map(({ member }) => member)

describe('terms of the service that differ from those of the page', () => {
  test('are none when the service is honest', () => {
    expect(members(honest())).toEqual([])
  })

  test('are none for terms of the leg that were signed in the first edition, which this page writes again', () => {
    const leg = { ...inputs, markets: [{ id: 'hl:BTC', title: 'BTC perpetual', calls: [] }] }
    const signed = writeTerms(leg, 1)
    const answer = {
      terms_hash: signed.digest,
      typed_data: signed.typedData,
      clauses: signed.clauses.map(({ number, text }) => ({ n: number, text })),
    }
    const differences = (signedHash: string | null) =>
      differencesOfTerms(editionSigned(writeEditions(leg), signedHash), answer).map(({ member }) => member)
    expect(differences(signed.digest)).toEqual([])
    expect(differences(signed.digest.toUpperCase().replace('0X', '0x'))).toEqual([])
    // Nobody signs a former edition, and terms that no edition writes are compared with the present one.
    for (const hash of [null, own.digest])
      expect(differences(hash)).toEqual(['clauses.2', 'clauses.3', 'clauses.6', 'digest'])
  })

  test('are told for a figure, with both figures', () => {
    const served = honest()
    served.typed_data.message['perTxCap'] = '600000000'
    expect(differencesOfTerms(own, served)).toEqual([{ member: 'perTxCap', here: '60000000', served: '600000000' }])
  })

  test('are told for the text of a clause, wherever it stands', () => {
    const served = honest()
    const clauses = served.typed_data.message['clauses'] as { text: string }[]
    Object.assign(clauses[1] ?? {}, { text: 'One call may spend anything.' })
    expect(members(served)).toEqual(['clauses.2'])
    const shownOnly = honest()
    Object.assign(shownOnly.clauses[1] ?? {}, { text: 'One call may spend anything.' })
    expect(members(shownOnly)).toEqual(['clauses.2'])
  })

  test('are told for the factory, the token, the agent and the chain', () => {
    for (const [change, member] of [
      [{ domain: { verifyingContract: at(99) } }, 'domain.verifyingContract'],
      [{ message: { usdc: at(99) } }, 'usdc'],
      [{ message: { agent: at(99) } }, 'agent'],
      [{ message: { feeRecipient: at(99) } }, 'feeRecipient'],
      [{ domain: { chainId: 1 } }, 'domain.chainId'],
    ] as const) {
      const served = honest()
      Object.assign(served.typed_data.domain, 'domain' in change ? change.domain : {})
      Object.assign(served.typed_data.message, 'message' in change ? change.message : {})
      expect(members(served)).toEqual([member])
    }
  })

  test('are told when the digest alone is another', () => {
    expect(members({ ...honest(), terms_hash: `0x${'ab'.repeat(32)}` })).toEqual(['digest'])
  })

  test('are told for an added call, an added member, another type and a missing clause', () => {
    const call = honest()
    ;(call.typed_data.message['calls'] as unknown[]).push({ target: at(9), selector: '0x12345678' })
    expect(members(call)).toEqual(['calls.3'])
    const member = honest()
    member.typed_data.message['spender'] = at(9)
    expect(members(member)).toEqual(['spender'])
    const types = honest()
    Object.assign(types.typed_data, { types: {} })
    expect(members(types)).toEqual(['types'])
    expect(members({ ...honest(), clauses: honest().clauses.slice(0, 7) })).toEqual(['clauses.8', 'clauses.count'])
    expect(members({ ...honest(), typed_data: null }).length).toBeGreaterThan(10)
  })

  test('do not include the letter case of an address', () => {
    const served = honest()
    const message = served.typed_data.message
    message['agent'] = String(message['agent']).toUpperCase().replace('0X', '0x')
    expect(members(served)).toEqual([])
  })
})

test('the digest is that of the typed data that the wallet is given', () => {
  const { EIP712Domain: _, ...types } = own.typedData.types
  expect(own.digest).toBe(hashTypedData({ ...(own.typedData as never as object), types } as never))
})

test('the call that creates the vault is what the ABI of the factory writes from these terms', () => {
  expect(creationData(own)).toBe(
    encodeFunctionData({ abi: abis.factory, functionName: 'createVault', args: [own.factoryTerms] }),
  )
  expect(predictionData(own)).toBe(
    encodeFunctionData({ abi: abis.factory, functionName: 'predictVault', args: [own.factoryTerms] }),
  )
  const predict = abis.factoryV2.find((item) => 'name' in item && item.name === 'predictVault')
  expect(toFunctionSelector(predict as AbiFunction)).toBe(predictionData(own).slice(0, 10))
})

test('a contract that the deployment does not know is told, and so is a market that nobody lists', () => {
  expect(marketsOf(['testvenue', 'hl:BTC'], catalogue, [at(1)])).toMatchObject({
    foreign: [venue],
    missing: ['hl:BTC'],
  })
  expect(marketsOf(['testvenue'], catalogue, [venue])).toMatchObject({ foreign: [], missing: [] })
})
