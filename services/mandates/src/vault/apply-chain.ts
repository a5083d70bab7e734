import type { Tx } from '@svc/postgres'
import { alertOwner } from '#alerts/alert-owner.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import type { ChainFact } from '#books/rules/chain-fact.ts'
import { factsOfVault, storeFact } from '#books/store/chain-facts.ts'
import { storeBooks, storeCreation } from '#books/store/vaults.ts'
import type { LocalContext } from '#context.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { Scene } from '#mandate/scene.ts'
import { appendEntry } from '#record/append-entry.ts'
import { moveMandate } from '#states/move-mandate.ts'
import { comesLast, planFact, type FactStep } from './rules/plan-fact.ts'

/**
 * Stores facts of a vault one after the other and, if the vault is a mandate's, brings its books, record and state up to
 * date. A fact may arrive twice and in any order: a revision that is not higher than the stored one changes nothing. The
 * vault must be locked. Returns the scene after the last fact.
 */
export async function applyFacts<S extends Scene | null>(
  tx: Tx,
  context: LocalContext,
  scene: S,
  facts: readonly ChainFact[],
  now: Date,
): Promise<S | Scene> {
  let after: S | Scene = scene
  for (const fact of facts) {
    const change = await storeFact(tx, fact)
    if (after !== null && change !== 'known' && change !== 'gone' && change !== 'confirmed')
      after = await applyChange(tx, context, after, { fact, appeared: change === 'appeared' }, now)
  }
  return after
}

/** Facts that change no figure of the Hall by themselves: an execution counts once it is judged, worth by its marks. */
const UNCOUNTED = new Set(['Executed', 'Marked'])

async function applyChange(
  tx: Tx,
  context: LocalContext,
  { mandate, vault }: Scene,
  { fact, appeared }: { readonly fact: ChainFact; readonly appeared: boolean },
  now: Date,
): Promise<Scene> {
  const isLast = appeared && comesLast(vault, fact)
  const facts = isLast ? null : await factsOfVault(tx, vault.chain_id, vault.address)
  const signed = fact.name === 'VaultCreated' ? await newestTerms(tx, mandate.id) : null
  const plan = planFact({ mandate, vault, fact, facts, signed }, now)
  await writeSteps(tx, context, mandate, plan.steps, now)
  // Without its vault a mandate has no worth on any day.
  const from = fact.name === 'VaultCreated' ? null : new Date(fact.blockTime)
  if (!UNCOUNTED.has(fact.name)) await factsChanged(tx, mandate, from)
  const trigger = { now, source: 'chain', txHash: fact.txHash, orphaned: !fact.canonical } as const
  // A vault is attached to signed mandates only, and no signature is ever deleted.
  const moved = await moveMandate(tx, context, { mandate, vault: plan.vault, signed: true }, trigger)
  return { vault: plan.vault, mandate: moved }
}

/** Writes the planned changes in their order. */
export async function writeSteps(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  steps: readonly FactStep[],
  now: Date,
): Promise<void> {
  for (const step of steps)
    switch (step.step) {
      case 'store_books':
        await storeBooks(tx, step.vault)
        break
      case 'store_creation':
        await storeCreation(tx, step.vault)
        break
      case 'append':
        await appendEntry(tx, mandate, step.entry)
        break
      case 'alert':
        await alertOwner(tx, context, mandate, step.alert, now)
        break
      case 'resolve_alerts':
        await resolveAlerts(tx, mandate.id, step.alerts, now)
    }
}
