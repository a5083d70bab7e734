import { ok } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { emit, type Tx } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { randomBytes } from 'node:crypto'
import type { Context } from '#context.ts'
import { formatRefreshToken, refreshUntil, sha256 } from '../rules/refresh-token.ts'
import type { Wallet } from '#wallets/rules/wallet-address.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { findAccount, insertAccount, lockAccount } from '#accounts/store/accounts.ts'
import { endOldSessions, insertSession } from '../store/sessions.ts'
import { proveWallet } from '#wallets/wallet-proof.ts'

/** Live sessions that an owner may have; a further session replaces the oldest. */
const SESSIONS_MAX = 20

export const openSession: BoundHandler<Context, typeof identity.operations.openSession> =
  (context) => async (proof, call) => {
    const wallet = await proveWallet(context, proof, 'session', call)
    const refresh = { sessionId: randomBytes(16).toString('hex'), family: randomBytes(16), turn: randomBytes(32) }
    return call.effect(async (tx) => {
      const accountId = await ownerOf(tx, wallet, call.now)
      await lockAccount(tx, accountId)
      const replaced = await endOldSessions(tx, accountId, SESSIONS_MAX - 1, call.now)
      for (const session_id of replaced) {
        await emit(tx, identity.events.sessionEnded, {
          account_id: accountId,
          session_id,
          reason: 'replaced',
          ended_at: call.now.toISOString(),
        })
      }
      await insertSession(tx, {
        sessionId: refresh.sessionId,
        accountId,
        familyHash: sha256(refresh.family),
        turnHash: sha256(refresh.turn),
        startedAt: call.now,
        refreshUntil: refreshUntil(call.now, call.now),
      })
      const access = await context.tokens.forSession(accountId, refresh.sessionId, call.now)
      return ok(200, {
        ok: true,
        token: access.token,
        expires_at: access.expiresAt.toISOString(),
        refresh_token: formatRefreshToken(refresh),
        user_id: accountId,
        wallet_address: checksummed(wallet),
      })
    })
  }

/** Returns the owner account of a wallet; creates it at the first sign-in. */
async function ownerOf(tx: Tx, wallet: Wallet, now: Date): Promise<number> {
  const created = await insertAccount(tx, { kind: 'owner', wallet, name: null }, now)
  if (created !== null) {
    await emit(tx, identity.events.ownerRegistered, {
      account_id: created,
      wallet: checksummed(wallet),
      registered_at: now.toISOString(),
    })
    return created
  }
  const existing = await findAccount(tx, wallet, 'owner')
  if (existing === null) throw new Error('an owner account vanished')
  return existing
}
