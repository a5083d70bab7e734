import { newVault } from '@svc/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { booksOf } from '#books/rules/books.ts'
import { factChange, type ChainFact } from '#books/rules/chain-fact.ts'
import type { Vault } from '#books/rules/vault.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { comesLast, planFact, type FactStep } from './plan-fact.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const [AGENT, OTHER, FACTORY, VAULT] = ['aa', 'bb', 'ff', 'cc'].map((byte) => `0x${byte.repeat(20)}`) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const mandate = { id: 1, name: 'Basis', agent: { id: 2, wallet: AGENT } } as unknown as Mandate
const attached: Vault = {
  mandate_id: 1,
  chain_id: 1,
  address: VAULT,
  factory: FACTORY,
  version: 1,
  creation_tx: '0xcreated',
  agent: AGENT,
  canonical: true,
  attached_at: NOW.toISOString(),
  books: newVault(AGENT),
  books_block: null,
  books_log_index: null,
}

/** Applies facts as the store would: each fact by its revision, the vault as the plan leaves it. */
class Model {
  vault = attached
  readonly stored = new Map<string, ChainFact>()
  readonly steps: FactStep[] = []

  receive(fact: ChainFact): void {
    const key = `${fact.txHash}:${fact.logOrdinal}`
    const known = this.stored.get(key)
    const stored = known === undefined ? null : { ...known, same: known.blockNumber === fact.blockNumber }
    const change = factChange(stored, fact)
    if (change === 'known') return
    this.stored.set(key, fact)
    if (change === 'gone' || change === 'confirmed') return
    const facts = change === 'appeared' && comesLast(this.vault, fact) ? null : this.standing()
    const plan = planFact({ mandate, vault: this.vault, fact, facts, signed: { chain_id: 1, factory: FACTORY } }, NOW)
    this.vault = plan.vault
    this.steps.push(...plan.steps)
  }

  standing(): readonly ChainFact[] {
    return [...this.stored.values()]
      .filter(({ canonical }) => canonical)
      .toSorted((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex)
  }
}

const event = fc.oneof(
  fc.constant({ name: 'VaultCreated', args: {} }),
  fc.constantFrom(AGENT, OTHER).map((agent) => ({ name: 'AgentSet', args: { agent } })),
  fc.integer({ min: 1, max: 9 }).map((amount) => ({
    name: 'Deposited',
    args: { amount: String(amount), principal: String(amount * 10) },
  })),
)
/** Facts whose later revisions remove them or move them to another block. */
const histories = fc
  .array(fc.tuple(event, fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 })), { maxLength: 8 })
  .map((all) =>
    all.flatMap(([one, blocks], n) =>
      blocks.map((blockNumber, at): ChainFact => ({
        ...one,
        chainId: 1,
        txHash: `0x${n}`,
        logOrdinal: 0,
        logIndex: n,
        vault: VAULT,
        blockNumber,
        blockHash: `0x${blockNumber}`,
        blockTime: NOW.toISOString(),
        revision: at + 1,
        canonical: at % 2 === 0,
      })),
    ),
  )
const shuffled = histories.chain((facts) => fc.shuffledSubarray(facts, { minLength: facts.length }))

function after(facts: readonly ChainFact[]): Model {
  const model = new Model()
  for (const fact of facts) model.receive(fact)
  return model
}

test('in whatever order facts arrive, the books are those of all standing facts in chain order', () => {
  fc.assert(
    fc.property(shuffled, (facts) => {
      const model = after(facts)
      const newest = model.standing().at(-1)
      expect(model.vault.books).toEqual(booksOf(AGENT, model.standing()))
      expect(model.vault.books_block).toBe(newest?.blockNumber ?? null)
      expect(model.vault.books_log_index).toBe(newest?.logIndex ?? null)
    }),
  )
})

test('after a fact about its creation, the vault exists exactly while a creation stands', () => {
  fc.assert(
    fc.property(shuffled, (facts) => {
      const model = after(facts)
      const created = model.standing().some(({ name }) => name === 'VaultCreated')
      const changed = model.steps.some(({ step }) => step === 'store_creation')
      if (changed) expect(model.vault.canonical).toBe(created)
    }),
  )
})

test('facts that arrive again change nothing', () => {
  fc.assert(
    fc.property(shuffled, (facts) => {
      const model = after(facts)
      const [vault, steps] = [model.vault, model.steps.length]
      for (const fact of facts) model.receive(fact)
      expect([model.vault, model.steps.length]).toEqual([vault, steps])
    }),
  )
})

test('each foreign agent is recorded and alerted once for each time that it may act', () => {
  fc.assert(
    fc.property(shuffled, (facts) => {
      const { steps } = after(facts)
      const entries = steps.filter((one) => one.step === 'append' && one.entry.kind === 'foreign_agent')
      const appeared = steps.filter(
        (one) =>
          one.step === 'append' &&
          one.entry.kind === 'chain_fact' &&
          one.entry.body['name'] === 'AgentSet' &&
          (one.entry.body['args'] as Record<string, unknown>)['agent'] === OTHER,
      )
      expect(entries).toHaveLength(appeared.length)
      expect(steps.filter(({ step }) => step === 'alert')).toHaveLength(appeared.length)
    }),
  )
})
