import { mandateVaultFactoryAbi } from '@svc/vault'
import fc from 'fast-check'
import { encodeErrorResult, pad, type Address, type EncodeErrorResultParameters, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { creationRefusal, nobody, type CreationError, type Terms } from '../src/index.ts'
import { factoryCall, startVaultChain, type Transaction, type VaultChain } from './chain.ts'
import { firstDay, parties, type Contracts } from './parties.ts'
import { termsOf } from './play.ts'

const numRuns = process.env['TEST_LONG'] === '1' ? 10_000 : 400
const seed = Number(process.env['TEST_SEED'] ?? 20_261_121)
const now = firstDay * 86_400n

/** The vaults of valid terms, for the first and the second mandate. */
interface GoodVaults {
  readonly first: Address
  readonly second: Address
}

let chain: VaultChain
let goodVaults: Record<1 | 2, GoodVaults>
beforeAll(async () => {
  chain = await startVaultChain()
  const predict = async (version: 1 | 2): Promise<GoodVaults> => {
    const terms = termsOf({ ...valid, leg: version === 2 }, chain.contracts)
    return { first: await chain.predict(terms, version, 1), second: await chain.predict(terms, version, 2) }
  }
  goodVaults = { 1: await predict(1), 2: await predict(2) }
})
afterAll(() => chain?.anvil.stop())

const valid = {
  leg: false,
  budget: 1_000,
  perTxCap: 100,
  dailyCap: 300,
  stopLine: 500,
  legBudget: 400,
  lasts: 86_400,
  feeBps: 1_000,
  createdAt: 0,
}

const places = ['usdc', 'venue', 'script', 'gateway', 'factory', 'implementation', 'other vault', 'nobody'] as const
type Place = keyof typeof parties | (typeof places)[number]
const anyPlace = fc.constantFrom<Place[]>(...places, 'owner', 'agent', 'keeper', 'stranger')
type AmountField = 'budget' | 'perTxCap' | 'dailyCap' | 'stopLine' | 'legBudget' | 'feeBps'
type Change =
  | { readonly field: 'agent' | 'feeRecipient' | 'usdc' | 'legGateway'; readonly place: Place }
  | {
      readonly field: 'budget' | 'perTxCap' | 'dailyCap' | 'stopLine' | 'legBudget' | 'feeBps'
      readonly amount: bigint
    }
  | { readonly lasts: bigint }
  | { readonly target: Place; readonly count: number }

/** Amounts around the bounds of a field. */
const amounts = (field: AmountField, ...values: bigint[]) =>
  fc.record({ field: fc.constant(field), amount: fc.constantFrom(...values) })

/** A change to valid terms; most changes break a rule. */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ field: fc.constantFrom('agent', 'feeRecipient', 'usdc', 'legGateway'), place: anyPlace }),
  amounts('budget', 0n, 299n, 300n, 500n, 501n, 2n ** 128n - 1n),
  amounts('perTxCap', 0n, 1n, 300n, 301n),
  amounts('dailyCap', 0n, 99n, 100n, 1_000n, 1_001n),
  amounts('stopLine', 0n, 999n, 1_000n, 1_001n),
  amounts('legBudget', 0n, 1n, 1_000n, 1_001n),
  amounts('feeBps', 0n, 5_000n, 5_001n, 65_535n),
  fc.record({ lasts: fc.constantFrom(-1n, 0n, 1n, 730n * 86_400n, 730n * 86_400n + 1n, 2n ** 63n) }),
  fc.record({ target: anyPlace, count: fc.constantFrom(0, 1, 1, 1, 32, 33) }),
)

interface CreationAttempt {
  readonly leg: boolean
  readonly changes: readonly Change[]
  readonly caller: 'owner' | 'stranger'
  /** Whether the owner already has a vault for this mandate. */
  readonly twice: boolean
}

const attempts: fc.Arbitrary<CreationAttempt> = fc.record({
  leg: fc.boolean(),
  changes: fc.array(change, { maxLength: 2 }),
  caller: fc.constantFrom('owner', 'owner', 'owner', 'owner', 'stranger'),
  twice: fc.constantFrom(false, false, false, true),
})

test('the engine and the factory accept and reject the same terms', async () => {
  const answers = new Set<string>()
  const agreement = fc.asyncProperty(attempts, async (attempt) => {
    answers.add(await expectAgreement(attempt))
  })
  await fc.assert(agreement, { seed, numRuns })
  const fields = [0, 1, 2, 3, 4, 5, 7, 8].map((field) => `BadTerms ${field}`)
  expect([...answers].toSorted()).toEqual([...fields, 'AlreadyCreated', 'NotOwnerOfTerms', 'created'].toSorted())
})

/** Compares the engine with the factory for a creation. Returns the outcome. */
async function expectAgreement({ leg, changes, caller, twice }: CreationAttempt): Promise<string> {
  const { contracts } = chain
  const version = leg ? 2 : 1
  const good = termsOf({ ...valid, leg }, contracts)
  const { first: otherVault, second } = goodVaults[version]
  const existing = twice ? second : null
  const at = (place: Place): Address => addressOf(place, contracts, version, otherVault)
  const terms = changes.reduce((changed, next) => changedTerms(changed, next, at), good)
  const vault = await chain.predict(terms, version, 2)

  const create = (from: Address, which: Terms, mandate: number): Transaction => {
    return { at: now, from, to: at('factory'), data: factoryCall('createVault', which, mandate) }
  }
  const earlier = [create(good.owner, good, 1), ...(twice ? [create(good.owner, good, 2)] : [])]
  const answers = await chain.simulate([...earlier, create(at(caller), terms, 2)])
  expect(answers.slice(0, -1).every(({ reverted }) => !reverted)).toBe(true)

  const contractsThere = places.filter((place) => place !== 'nobody').map(at)
  const refusal = creationRefusal(terms, {
    caller: at(caller),
    at: now,
    vault,
    existing,
    factory: at('factory'),
    implementation: at('implementation'),
    keeper: parties.keeper,
    usdc: contracts.usdc,
    legGateway: leg ? contracts.gateway : nobody,
    isContract: (address) => contractsThere.includes(address),
    isVault: (address) => address === otherVault || address === existing,
  })
  expect(answers.at(-1)).toEqual(
    refusal === null
      ? { reverted: false, data: pad(vault).toLowerCase() }
      : { reverted: true, data: errorData(refusal) },
  )
  return refusal === null ? 'created' : refusal.name === 'BadTerms' ? `BadTerms ${refusal.args[0]}` : refusal.name
}

function addressOf(place: Place, contracts: Contracts, version: 1 | 2, otherVault: Address): Address {
  switch (place) {
    case 'nobody':
      return nobody
    case 'other vault':
      return otherVault
    case 'factory':
    case 'implementation':
      return contracts[place][version]
    case 'usdc':
    case 'venue':
    case 'script':
    case 'gateway':
      return contracts[place]
    default:
      return parties[place]
  }
}

function changedTerms(terms: Terms, next: Change, at: (place: Place) => Address): Terms {
  if ('place' in next) return { ...terms, [next.field]: at(next.place) }
  if ('amount' in next) return { ...terms, [next.field]: next.amount }
  if ('lasts' in next) return { ...terms, endsAt: now + next.lasts }
  const call = { target: at(next.target), selector: '0x12345678' } as const
  return { ...terms, calls: Array.from({ length: next.count }, () => call) }
}

function errorData({ name, args }: CreationError): Hex {
  return encodeErrorResult({ abi: mandateVaultFactoryAbi, errorName: name, args } as EncodeErrorResultParameters)
}
