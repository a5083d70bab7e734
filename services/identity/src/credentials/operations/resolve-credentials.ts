import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { TokenClaims } from '#sessions/access-tokens.ts'
import type { Context } from '#context.ts'
import { rolesOf } from '../rules/roles.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { useKeys, type KeyHolder } from '#keys/store/keys.ts'
import { liveSessions } from '#sessions/store/sessions.ts'

type Owner = Awaited<ReturnType<typeof liveSessions>>[number]

export const resolveCredentials: BoundHandler<Context, typeof identity.operations.resolveCredentials> =
  (context) =>
  async ({ credentials }, call) => {
    const { pool, tokens, keeperSecrets } = context
    const claims = await Promise.all(
      credentials.map(async (credential) =>
        credential.kind === 'token' ? tokens.verify(credential.token, call.now) : null,
      ),
    )
    const hashes = credentials.flatMap((credential) => (credential.kind === 'key' ? [credential.hash] : []))
    const sessionIds = claims.flatMap((claim) => (claim?.role === 'owner' ? [claim.sid] : []))
    const [holders, owners] = await Promise.all([
      hashes.length === 0 ? [] : useKeys(pool, hashes, call.now),
      sessionIds.length === 0 ? [] : liveSessions(pool, sessionIds, call.now),
    ])
    const byHash = new Map(holders.map((holder) => [holder.hash, holder]))
    const bySession = new Map(owners.map((owner) => [owner.session_id, owner]))
    const roles = context.roleWallets()

    const callerOfKey = (holder: KeyHolder | undefined) =>
      holder === undefined
        ? null
        : {
            account_id: holder.account_id,
            kind: holder.kind,
            wallet: checksummed(holder.wallet),
            roles: rolesOf(holder, roles),
            scopes: holder.scopes,
            key_id: holder.key_id,
            session_id: null,
            expires_at: holder.expires_at,
          }
    const callerOfToken = (claim: TokenClaims | null | undefined) => {
      if (claim === null || claim === undefined) return null
      const expires_at = new Date(claim.exp * 1000).toISOString()
      if (claim.role === 'keeper')
        return tokens.isCurrentKeeper(claim.epoch, keeperSecrets) ? { ...KEEPER, expires_at } : null
      const owner: Owner | undefined = bySession.get(claim.sid)
      if (owner === undefined || String(owner.account_id) !== claim.sub) return null
      return {
        account_id: owner.account_id,
        kind: 'owner' as const,
        wallet: checksummed(owner.wallet),
        roles: rolesOf({ kind: 'owner', wallet: owner.wallet }, roles),
        scopes: ['read' as const, 'write' as const],
        key_id: null,
        session_id: owner.session_id,
        expires_at,
      }
    }
    return ok(200, {
      callers: credentials.map((credential, at) =>
        credential.kind === 'key' ? callerOfKey(byHash.get(credential.hash)) : callerOfToken(claims[at]),
      ),
    })
  }

/** The keeper has no account; no account has id 0. */
const KEEPER = {
  account_id: 0,
  kind: 'service' as const,
  wallet: null,
  roles: ['keeper' as const],
  scopes: ['read' as const, 'write' as const],
  key_id: null,
  session_id: null,
}
