import { mandates } from '@svc/contracts/mandates'
import { emit, type Tx } from '@svc/postgres'
import { getAddress } from 'viem'
import { appendEntry } from '#record/append-entry.ts'
import { writeSteps } from './apply-chain.ts'
import type { Creation } from './rules/creation.ts'
import { foldFacts, recordingSteps } from './rules/plan-fact.ts'
import { factsOfVault } from '#books/store/chain-facts.ts'
import type { Scene } from '#mandate/scene.ts'
import { recordAttempt } from '#record/record-attempt.ts'
import type { LocalContext } from '#context.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import { moveMandate } from '#states/move-mandate.ts'
import { attemptsOf } from '#books/store/attempts.ts'
import { insertVault } from '#books/store/vaults.ts'

/**
 * Attaches a created vault to its mandate. The caller has checked the creation, stored it, and holds the locks of vault and
 * mandate, taken in this order. Facts and refused calls that arrived before count at once, and follow the attachment in the
 * record. Returns the vault and the mandate after that.
 */
export async function attach(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  creation: Creation,
  { now, source }: { readonly now: Date; readonly source: 'owner' | 'chain' },
): Promise<Scene> {
  const { chainId, txHash, vault: address, factory, version, agent } = creation
  const inserted = await insertVault(
    tx,
    { mandate_id: mandate.id, chain_id: chainId, address, factory, version, creation_tx: txHash, agent },
    now,
  )
  await announce(tx, mandate, creation, { now, source })
  const facts = await factsOfVault(tx, chainId, address)
  const vault = foldFacts(inserted, facts)
  const steps = facts.flatMap((fact) => recordingSteps(mandate, fact, now))
  await writeSteps(tx, context, mandate, [{ step: 'store_books', vault }, ...steps], now)
  for (const attempt of await attemptsOf(tx, chainId, address)) await recordAttempt(tx, mandate, attempt, now)
  await factsChanged(tx, mandate, null)
  const moved = await moveMandate(tx, context, { mandate, vault, signed: true }, { now, source, txHash })
  return { vault, mandate: moved }
}

/** Records and publishes an attachment. */
async function announce(
  tx: Tx,
  mandate: Mandate,
  creation: Creation,
  { now, source }: { readonly now: Date; readonly source: 'owner' | 'chain' },
): Promise<void> {
  const { chainId: chain_id } = creation
  const vault = getAddress(creation.vault)
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'vault_attached',
    source,
    txHash: creation.txHash,
    body: {
      chain_id,
      vault,
      factory: getAddress(creation.factory),
      version: creation.version,
      terms_hash: creation.termsHash,
    },
  })
  await emit(tx, mandates.events.vaultAttached, {
    public_id: mandate.publicId,
    owner_id: ownerIdOf(mandate),
    agent_id: mandate.agent?.id ?? null,
    chain_id,
    vault,
    at: now.toISOString(),
  })
}
