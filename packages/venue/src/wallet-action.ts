import { normalizeSignature, signerOf, typedDataOf, type Signature, type UserSignedAction } from '@svc/hyperliquid'
import { Outage } from '@svc/service'
import type { StoredAction, VenueClient } from './venue-client.ts'

/** A chain id that a wallet without a vault may be on; any chain is right for the venue. */
export const ANY_CHAIN = 421_614

/** How long an action that was served for a wallet stays good. */
export const SERVED_MS = 10 * 60_000

type Member = string | number
const members = (of: object) => of as Record<string, Member>

/** Returns an action for the owner's wallet with its typed data. */
export function walletActionView(action: UserSignedAction) {
  const { domain, types, primaryType, message } = typedDataOf(action)
  const listed = Object.entries(types).map(([name, fields]) => [name, fields.map((field) => ({ ...field }))] as const)
  return {
    typed_data: { domain, types: Object.fromEntries(listed), primaryType, message: members(message) },
    action: members(action),
    nonce: Number(action['nonce'] ?? action['time']),
  }
}

/** Hex digits of a signature by a key. */
const KEY_SIGNATURE_CHARS = 132

/**
 * Reads a signature of an action as one by `wallet`'s own key. `contract`: longer than a key's, because it contains the
 * calls by which a contract wallet checks it; `invalid`: anything else.
 */
export async function keySignature(
  action: UserSignedAction,
  given: unknown,
  wallet: string,
): Promise<Signature | 'contract' | 'invalid'> {
  const signature = normalizeSignature(given)
  if (signature === null)
    return typeof given === 'string' && given.length > KEY_SIGNATURE_CHARS ? 'contract' : 'invalid'
  const signer = await signerOf(action, signature)
  return signer?.toLowerCase() === wallet.toLowerCase() ? signature : 'invalid'
}

const TRIES = 3

/** What the venue said to an action that a wallet signed. */
export type Relayed =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string; readonly isUsedKey: boolean }

/**
 * Relays the stored bytes of an action that a wallet signed, the same at each try. An outage if it is not known whether
 * the venue has it.
 */
export async function relayStored(venue: VenueClient, stored: StoredAction): Promise<Relayed> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const outcome = await venue.send('orders', stored)
    switch (outcome.kind) {
      case 'accepted':
      case 'landed':
        return { kind: 'done' }
      case 'refused':
        return { kind: 'refused', reason: outcome.reason, isUsedKey: outcome.cause === 'agent_used' }
      case 'ours':
        throw new Error(`the venue cannot read an action of a wallet: ${outcome.reason}`)
      case 'unknown':
      case 'retriable':
        break
    }
  }
  throw new Outage('venue', 'the venue did not answer the action of a wallet')
}
