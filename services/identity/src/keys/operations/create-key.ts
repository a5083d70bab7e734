import { ok, refuse, type Caller, type InputOf } from '@svc/contract'
import { common } from '@svc/contracts'
import type { identity } from '@svc/contracts/identity'
import { keyRefusals } from '@svc/contracts/identity/keys'
import type { Tx } from '@svc/postgres'
import type { BoundHandler, Call } from '@svc/service'
import type { Context } from '#context.ts'
import type { GrantProblem, Grantor } from '../rules/keys.ts'
import { judgeGrant, KEYS_MAX } from '../rules/keys.ts'
import { newKey } from '../new-key.ts'
import { findAccount, lockAccount } from '#accounts/store/accounts.ts'
import { insertKey, keyExpiry, listKeys } from '../store/keys.ts'
import { proveWallet } from '#wallets/wallet-proof.ts'

const { keyLimit, keyOutlivesGrantor, notRegistered, scopeNotGrantable } = keyRefusals

type CreateKey = typeof identity.operations.createKey

export const createKey: BoundHandler<Context, CreateKey> = (context) => async (input, call) => {
  const proven = input.signature === undefined ? byKey(call) : await bySignature(context, input, call)
  const expiresAt = input.expires_at === null ? null : new Date(input.expires_at)
  const key = newKey()
  return call.effect(async (tx) => {
    await lockAccount(tx, proven.accountId)
    const grantor = await grantorOf(tx, proven, call.now)
    const live = await listKeys(tx, proven.accountId, call.now)
    const problem = judgeGrant({ scopes: input.scopes, expiresAt }, grantor, live.length, call.now)
    if (problem !== null) refuseGrant(problem)
    await insertKey(
      tx,
      {
        keyId: key.keyId,
        accountId: proven.accountId,
        hash: key.hash,
        name: input.name,
        scopes: input.scopes,
        expiresAt,
      },
      call.now,
    )
    return ok(201, {
      ok: true,
      api_key: key.secret,
      key_id: key.keyId,
      name: input.name,
      scopes: input.scopes,
      created_at: call.now.toISOString(),
      expires_at: input.expires_at,
    })
  })
}

/** The proven account, with the key that the call used; null for a signature of the wallet. */
interface Proven {
  readonly accountId: number
  readonly caller: Caller | null
}

function byKey(call: Call): Proven {
  const { caller } = call
  if (caller === null)
    return refuse(common.unauthenticated, 'Neither a key of the account nor a signature of its wallet came.', {
      fix: 'Send X-SVC-User-Key, or wallet_address and signature: POST /auth/wallet/nonce returns the message of purpose "key" to sign.',
    })
  if (caller.kind !== 'agent') return refuse(common.forbidden, 'Only an agent has API keys.')
  if (!caller.scopes.includes('write')) return refuse(common.missingScope, undefined, { required_scope: 'write' })
  return { accountId: caller.account_id, caller }
}

async function bySignature(context: Context, input: InputOf<CreateKey>, call: Call): Promise<Proven> {
  const { wallet_address, signature = '', message } = input
  if (wallet_address === undefined) {
    return refuse(common.invalidRequest, undefined, {}, [
      { pointer: '/wallet_address', code: 'required', detail: 'goes together with signature' },
    ])
  }
  const wallet = await proveWallet(context, { wallet_address, signature, message }, 'key', call)
  const accountId = await findAccount(context.pool, wallet, 'agent')
  if (accountId === null) return refuse(notRegistered)
  return { accountId, caller: null }
}

async function grantorOf(tx: Tx, { caller, accountId }: Proven, now: Date): Promise<Grantor> {
  if (caller === null) return null
  // Read again under the account's lock, so that a key revoked meanwhile makes no other key.
  const expiresAt = await keyExpiry(tx, accountId, caller.key_id ?? '', now)
  if (expiresAt === undefined) return refuse(common.unauthenticated)
  return { scopes: caller.scopes, expiresAt }
}

function refuseGrant(problem: GrantProblem): never {
  switch (problem) {
    case 'scope':
      return refuse(scopeNotGrantable)
    case 'outlives':
      return refuse(keyOutlivesGrantor)
    case 'past':
      return refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/expires_at', code: 'past', detail: 'must be in the future' },
      ])
    case 'too_many':
      return refuse(keyLimit, undefined, { limit: KEYS_MAX })
  }
}
