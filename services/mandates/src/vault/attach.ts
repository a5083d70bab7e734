import { mandates } from '@svc/contracts/mandates'
import { emit, type Tx } from '@svc/postgres'
import { getAddress } from 'viem'
import { appendEntry } from '#record/append-entry.ts'
import { foldAgain, recordFact } from './apply-chain.ts'
import { recordAttempt } from '#record/record-attempt.ts'
import type { LocalContext } from '#context.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import { moveMandate } from '#states/move-mandate.ts'
import { attemptsOf } from '#books/store/attempts.ts'
import { insertVault, vaultOfMandate } from '#books/store/vaults.ts'

/** A vault that a factory created, as the chain says. Addresses and hashes are lower case. */
export interface Creation {
  readonly chainId: number
  readonly txHash: string
  readonly vault: string
  readonly factory: string
  readonly version: 1 | 2
  readonly owner: string
  readonly agent: string
  readonly mandateIdHash: string
  readonly termsHash: string
}

/**
 * Makes a created vault the mandate's. The caller has checked that it is the right one, stored the creation and holds
 * the locks of the vault and the mandate, in this order. What the chain told of it before counts at once, and stands
 * in the record behind the attachment.
 */
export async function attach(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  creation: Creation,
  trigger: { readonly now: Date; readonly source: 'owner' | 'chain' },
): Promise<void> {
  const { now, source } = trigger
  const vault = {
    mandate_id: mandate.id,
    chain_id: creation.chainId,
    address: creation.vault,
    factory: creation.factory,
    version: creation.version,
    creation_tx: creation.txHash,
    agent: creation.agent,
  }
  await insertVault(tx, vault, now)
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'vault_attached',
    source,
    txHash: creation.txHash,
    body: {
      chain_id: creation.chainId,
      vault: getAddress(creation.vault),
      factory: getAddress(creation.factory),
      version: creation.version,
      terms_hash: creation.termsHash,
    },
  })
  await emit(tx, mandates.events.vaultAttached, {
    public_id: mandate.publicId,
    owner_id: ownerIdOf(mandate),
    agent_id: mandate.agent?.id ?? null,
    chain_id: creation.chainId,
    vault: getAddress(creation.vault),
    at: now.toISOString(),
  })
  const attached = await vaultOfMandate(tx, mandate.id)
  if (attached === null) throw new Error('the vault was just attached')
  const folded = await foldAgain(tx, attached)
  for (const fact of folded.facts) await recordFact(tx, context, mandate, fact, now)
  for (const attempt of await attemptsOf(tx, vault.chain_id, vault.address))
    await recordAttempt(tx, mandate, attempt, now)
  await moveMandate(tx, context, mandate, { now, source, txHash: creation.txHash }, folded.vault)
}

/** What differs between a created vault and the mandate it is to serve; null when nothing does. */
export function creationMismatch(
  creation: Creation,
  expected: {
    readonly chainId: number
    readonly factory: string
    readonly mandateIdHash: string
    readonly owner: string
    readonly agent: string
    readonly termsHash: string
  },
): 'chain' | 'factory' | 'mandate' | 'owner' | 'agent' | 'terms' | null {
  const differs = (one: string, other: string) => one.toLowerCase() !== other.toLowerCase()
  if (creation.chainId !== expected.chainId) return 'chain'
  if (differs(creation.mandateIdHash, expected.mandateIdHash)) return 'mandate'
  if (differs(creation.owner, expected.owner)) return 'owner'
  if (differs(creation.factory, expected.factory)) return 'factory'
  if (differs(creation.agent, expected.agent)) return 'agent'
  return differs(creation.termsHash, expected.termsHash) ? 'terms' : null
}
