import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { VaultCall, VaultError } from '../src/index.ts'
import { setUp, startVaultChain, type Transaction, type VaultChain } from './chain.ts'
import { parties } from './parties.ts'
import { createdAt, play, termsOf, type Expected } from './play.ts'
import { scripts, type Script } from './script.ts'
import { readViews, wordsOf } from './views.ts'

const long = process.env['TEST_LONG'] === '1'
const callsMin = long ? 100_000 : 2_000
const seed = Number(process.env['TEST_SEED'] ?? 20_261_121)
const stepsMax = 60
/** Rounds of a hundred scripts in which every outcome must have been seen. */
const roundsMax = 20
const casesFolder = join(import.meta.dirname, 'cases')

/** Every call that can succeed and every error that can occur with a standard token. */
const reachable: readonly (VaultCall['name'] | VaultError['name'])[] = [
  ...(['transfer', 'deposit', 'execute', 'unwind', 'revokeAgent', 'setAgent', 'stop', 'markWorth', 'settle'] as const),
  ...(['withdrawAll', 'claimFee', 'rescue', 'fundLeg', 'onLegReturn'] as const),
  ...(['TargetNotAllowed', 'OverPerTxCap', 'OverDailyCap', 'MandateStopped', 'MandateEnded', 'NotOwner'] as const),
  ...(['NotAgent', 'NotKeeper', 'NotGateway', 'NotClosed', 'NotPaused', 'BadAgent', 'ZeroAmount'] as const),
  ...(['OverBudget', 'InsufficientFunds', 'TargetCallFailed', 'WithdrawLocked', 'SettleGrace'] as const),
  ...(['AlreadySettled', 'StaleMark', 'BadMark', 'BadToken', 'OverLegBudget', 'LegOpen', 'NoLeg'] as const),
  'SafeCastOverflowedUintDowncast',
]

let chain: VaultChain
beforeAll(async () => {
  chain = await startVaultChain()
})
afterAll(() => chain?.anvil.stop())

const savedCases = readdirSync(casesFolder).filter((name) => name.endsWith('.json'))

test.each(savedCases)('the engine and the contract agree on the saved script %s', async (name) => {
  await expectAgreement(JSON.parse(readFileSync(join(casesFolder, name), 'utf8')) as Script)
})

test(`the engine and the contract agree on every answer and view in ${callsMin} random calls`, async () => {
  const outcomes = new Map<string, number>()
  let calls = 0
  for (let round = 0; calls < callsMin || (outcomes.size < reachable.length && round < roundsMax); round++) {
    const agreement = fc.asyncProperty(scripts(stepsMax), async (script) => {
      for (const { outcome } of await expectAgreement(script)) {
        if (outcome === null) continue
        calls += 1
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    })
    const { failed, counterexample, errorInstance } = await fc.check(agreement, { seed: seed + round })
    if (!failed) continue
    const kept = counterexample === null ? 'not kept' : `kept as test/cases/${keep(counterexample[0])}`
    throw new Error(`${kept}: ${String(errorInstance)}`, { cause: errorInstance })
  }
  expect([...outcomes.keys()].toSorted()).toEqual(reachable.toSorted())
})

/** Runs a script on the engine and on the contracts. Throws at the first transaction on which they disagree. */
async function expectAgreement(script: Script): Promise<Expected[]> {
  const { contracts } = chain
  const terms = termsOf(script.terms, contracts)
  const version = script.terms.leg ? 2 : 1
  const vault = await chain.predict(terms, version)
  const expected = play(script, contracts, vault)
  const read = readViews(vault, terms, contracts)
  const before = setUp(terms, vault, createdAt(script.terms), contracts, version)
  const steps = expected.flatMap(({ at, from, to, data }): Transaction[] => [
    { at, from, to, data },
    { at, from: parties.stranger, to: contracts.script, data: read },
  ])
  const answers = await chain.simulate([...before, ...steps])
  expect(answers.slice(0, before.length).map(({ reverted }) => reverted)).toEqual(before.map(() => false))

  expected.forEach(({ step, reverted, answer, views }, index) => {
    const [seen, state] = answers.slice(before.length + 2 * index)
    if (seen === undefined || state === undefined) throw new Error('the node answered fewer calls than it was sent')
    const ours = { step, reverted, data: answer ?? seen.data, views }
    expect(ours).toEqual({ step, ...seen, views: wordsOf(state.data) })
  })
  return expected
}

function keep(script: Script): string {
  mkdirSync(casesFolder, { recursive: true })
  const text = `${JSON.stringify(script, null, 2)}\n`
  const name = `${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`
  writeFileSync(join(casesFolder, name), text)
  return name
}
