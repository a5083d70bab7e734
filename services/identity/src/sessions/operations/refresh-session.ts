import { ok, refuse } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { sessionRefusals } from '@svc/contracts/identity/sessions'
import { emit } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { randomBytes } from 'node:crypto'
import type { Context } from '#context.ts'
import {
  decideRefresh,
  formatRefreshToken,
  parseRefreshToken,
  refreshUntil,
  turnsAfter,
} from '../rules/refresh-token.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { endSession, lockSession, rotateSession } from '../store/sessions.ts'

const { refreshTokenInvalid, refreshTokenReused, sessionOver } = sessionRefusals

export const refreshSession: BoundHandler<Context, typeof identity.operations.refreshSession> =
  ({ tokens }) =>
  async (input, call) => {
    const shown = parseRefreshToken(input.refresh_token)
    if (shown === null) return refuse(refreshTokenInvalid)
    const turn = randomBytes(32)
    // The refusal follows after the effect: inside, it would roll back the end of a reused session.
    const { body: outcome } = await call.effect(async (tx) => {
      const session = await lockSession(tx, shown.sessionId)
      const verdict = decideRefresh(session, shown, call.now)
      if (session === null) return ok(200, { verdict, accountId: 0, wallet: null })
      if (verdict === 'rotate' || verdict === 'again') {
        const turns = turnsAfter(session, verdict, shown, { turn, now: call.now })
        await rotateSession(tx, shown.sessionId, turns, refreshUntil(session.startedAt, call.now))
      }
      if (verdict === 'reused' && (await endSession(tx, shown.sessionId, 'reuse', call.now))) {
        await emit(tx, identity.events.sessionEnded, {
          account_id: session.accountId,
          session_id: shown.sessionId,
          reason: 'reuse',
          ended_at: call.now.toISOString(),
        })
      }
      return ok(200, { verdict, accountId: session.accountId, wallet: session.wallet })
    })
    switch (outcome.verdict) {
      case 'unknown':
        return refuse(refreshTokenInvalid)
      case 'reused':
        return refuse(refreshTokenReused)
      case 'ended':
      case 'expired':
        return refuse(sessionOver)
      case 'rotate':
      case 'again': {
        if (outcome.wallet === null) throw new Error('a session without a wallet was refreshed')
        const access = await tokens.forSession(outcome.accountId, shown.sessionId, call.now)
        return ok(200, {
          ok: true,
          token: access.token,
          expires_at: access.expiresAt.toISOString(),
          refresh_token: formatRefreshToken({ ...shown, turn }),
          user_id: outcome.accountId,
          wallet_address: checksummed(outcome.wallet),
        })
      }
    }
  }
