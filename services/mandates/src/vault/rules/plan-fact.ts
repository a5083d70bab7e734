import { nobody, sameAddress, usdcText } from '@svc/limits'
import { getAddress } from 'viem/utils'
import type { AlertSelection, OwnerAlert } from '#alerts/rules/owner-alert.ts'
import { dataMember } from '#books/rules/called-data.ts'
import { afterFact, booksOf } from '#books/rules/books.ts'
import type { ChainFact } from '#books/rules/chain-fact.ts'
import type { Vault } from '#books/rules/vault.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { NewEntry } from '#record/rules/record-hash.ts'
import { foreignAgent } from '#states/rules/states.ts'

/** Facts without an entry of their own: the worth series stores marks, and an attachment records its creation. */
const UNRECORDED = new Set(['Marked', 'VaultCreated'])

/** A stored fact with everything that decides what it changes, read once under the locks of vault and mandate. */
export interface FactScene {
  readonly mandate: Mandate
  readonly vault: Vault
  readonly fact: ChainFact
  /** All standing facts of the vault, in chain order; null when the fact comes after every fact in the books. */
  readonly facts: readonly ChainFact[] | null
  /** Chain and factory of the newest signed terms; null without terms, and for facts other than a creation. */
  readonly signed: { readonly chain_id: number; readonly factory: string } | null
}

/** One change that a fact makes. */
export type FactStep =
  | { readonly step: 'store_books' | 'store_creation'; readonly vault: Vault }
  | { readonly step: 'append'; readonly entry: NewEntry }
  | { readonly step: 'alert'; readonly alert: OwnerAlert }
  | { readonly step: 'resolve_alerts'; readonly alerts: AlertSelection }

/** The vault after a fact, and the changes in the order in which they must be written. */
export interface FactPlan {
  readonly vault: Vault
  readonly steps: readonly FactStep[]
}

/** Returns whether a fact stands and comes after every fact in the books of the vault, in chain order. */
export function comesLast({ books_block, books_log_index }: Vault, { blockNumber, logIndex }: ChainFact): boolean {
  if (books_block === null || blockNumber > books_block) return true
  return blockNumber === books_block && books_log_index !== null && logIndex > books_log_index
}

/** Returns the vault with books folded from all its standing facts, which are in chain order. */
export function foldFacts(vault: Vault, facts: readonly ChainFact[]): Vault {
  return withBooks(vault, booksOf(vault.agent, facts), facts.at(-1) ?? null)
}

/** Plans what a fact that appeared, changed or disappeared does to books, record and alerts of its mandate. */
export function planFact(scene: FactScene, now: Date): FactPlan {
  const { mandate, fact, facts } = scene
  const folded =
    facts === null ? withBooks(scene.vault, afterFact(scene.vault.books, fact), fact) : foldFacts(scene.vault, facts)
  const books = { step: 'store_books', vault: folded } as const
  if (fact.name === 'VaultCreated') {
    const created = planCreation(scene, folded, now)
    return { vault: created.vault, steps: [books, ...created.steps] }
  }
  const restored = fact.name === 'AgentSet' && !foreignAgent(folded.books, mandate.agent?.wallet.toLowerCase() ?? null)
  return {
    vault: folded,
    steps: [
      books,
      ...recordingSteps(mandate, fact, now),
      ...(restored ? [{ step: 'resolve_alerts', alerts: { kinds: ['foreign_agent'], about: null } } as const] : []),
    ],
  }
}

const withBooks = (
  vault: Vault,
  books: Vault['books'],
  newest: Pick<ChainFact, 'blockNumber' | 'logIndex'> | null,
): Vault => ({
  ...vault,
  books,
  books_block: newest?.blockNumber ?? null,
  books_log_index: newest?.logIndex ?? null,
})

/**
 * A vault exists as long as one transaction that created it stands; the same terms create it at the same address again. A
 * vault that returns after the owner has signed for another factory no longer belongs to the mandate.
 */
function planCreation({ fact, facts, signed }: FactScene, vault: Vault, now: Date): FactPlan {
  const standing = facts === null ? fact : (facts.findLast(({ name }) => name === 'VaultCreated') ?? null)
  const isForVault = signed?.chain_id === vault.chain_id && sameAddress(signed.factory, vault.factory)
  const canonical = standing !== null && isForVault
  const creation_tx = standing?.txHash ?? vault.creation_tx
  if (canonical === vault.canonical && (!canonical || creation_tx === vault.creation_tx)) return { vault, steps: [] }
  const after = { ...vault, canonical, creation_tx }
  const entry = {
    at: now,
    kind: canonical ? 'vault_restored' : 'vault_orphaned',
    source: 'chain',
    txHash: creation_tx,
    body: { vault: getAddress(vault.address), revision: fact.revision },
  } as const
  return {
    vault: after,
    steps: [
      { step: 'store_creation', vault: after },
      { step: 'append', entry },
    ],
  }
}

/**
 * Returns the changes that record a fact, or its removal by a reorganisation. A settlement alerts the owner, and so does an
 * agent that the owner did not designate.
 */
export function recordingSteps(mandate: Mandate, fact: ChainFact, now: Date): readonly FactStep[] {
  if (UNRECORDED.has(fact.name)) return []
  const seen = { at: now, source: 'chain', txHash: fact.txHash } as const
  const entry = {
    ...seen,
    kind: fact.canonical ? 'chain_fact' : 'chain_fact_orphaned',
    body: {
      name: fact.name,
      args: { ...fact.args },
      ...dataMember(fact.data),
      chain_id: fact.chainId,
      vault: getAddress(fact.vault),
      log_ordinal: fact.logOrdinal,
      block_number: fact.blockNumber,
      block_hash: fact.blockHash,
      block_time: fact.blockTime,
      revision: fact.revision,
    },
  }
  const steps: FactStep[] = [{ step: 'append', entry }]
  if (fact.name === 'Settled') steps.push(settlementStep(mandate, fact))
  const agent = foreignAgentOf(mandate, fact)
  if (agent !== null)
    steps.push(
      { step: 'append', entry: { ...seen, kind: 'foreign_agent', body: { agent: getAddress(agent) } } },
      {
        step: 'alert',
        alert: {
          kind: 'foreign_agent',
          severity: 'critical',
          text: `${agent} may now act in the vault of "${mandate.name}", which is not the agent that you designated. Revoke it if that was not you.`,
          about: occurrenceOf(fact),
        },
      },
    )
  return steps
}

const occurrenceOf = ({ txHash, logOrdinal }: ChainFact): string => `${txHash}:${logOrdinal}`

/** Alerts the owner that the fee is fixed; a reorganisation that removes the settlement resolves the alert. */
function settlementStep(mandate: Mandate, fact: ChainFact): FactStep {
  const about = occurrenceOf(fact)
  if (!fact.canonical) return { step: 'resolve_alerts', alerts: { kinds: ['settled'], about: [about] } }
  const text = `"${mandate.name}" is settled: its fee is ${usdcText(BigInt(String(fact.args['fee'])))} USDC. What is left in the vault is yours to withdraw.`
  return { step: 'alert', alert: { kind: 'settled', severity: 'info', text, about } }
}

/** Returns the agent that a standing `AgentSet` allows to act, unless it is nobody or the designated one; else null. */
function foreignAgentOf({ agent: designated }: Mandate, { name, canonical, args }: ChainFact): string | null {
  const agent = args['agent']
  if (name !== 'AgentSet' || !canonical || typeof agent !== 'string' || sameAddress(agent, nobody)) return null
  return designated !== null && sameAddress(agent, designated.wallet) ? null : agent
}
