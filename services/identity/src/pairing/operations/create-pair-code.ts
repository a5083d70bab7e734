import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { identity } from '@svc/contracts/identity'
import { pairingRefusals } from '@svc/contracts/identity/pairing'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import { randomInt } from 'node:crypto'
import type { Context } from '#context.ts'
import {
  hashPairCode,
  MADE_CODES_MS,
  nextCodeAt,
  PAIR_CODE_LIFE_SEC,
  readPairCode,
  writePairCode,
} from '../rules/pair-code.ts'
import { lockAccount } from '#accounts/store/accounts.ts'
import { codesSince, insertPairCode, outageWithoutTables } from '../store/pair-codes.ts'

const { scopeDenied } = pairingRefusals

export const createPairCode: BoundHandler<Context, typeof identity.operations.createPairCode> =
  ({ pairCodeKey }) =>
  async (_input, call) => {
    const { kind, account_id: ownerId } = callerOf(call)
    if (kind !== 'owner')
      return refuse(scopeDenied, undefined, {
        fix: 'Ask your owner for a code, which the page /ui/agent makes, and send it with POST /hub/agents/pair.',
        human_action: { who: 'owner', url: '/ui/agent', route: 'POST /hub/agents/pair-code' },
      })
    const code = writePairCode((limit) => randomInt(limit))
    const expiresAt = new Date(call.now.getTime() + PAIR_CODE_LIFE_SEC * 1000)
    try {
      return await call.effect(async (tx) => {
        await lockAccount(tx, ownerId)
        const recent = await codesSince(tx, ownerId, new Date(call.now.getTime() - MADE_CODES_MS))
        const retryAt = nextCodeAt(recent, call.now)
        if (retryAt !== null) {
          refuse(common.rateLimited, 'An owner has at most 5 live pair codes and makes at most 10 an hour.', {
            retry_at: retryAt.toISOString(),
          })
        }
        await insertPairCode(tx, { hash: hashPairCode(pairCodeKey, readPairCode(code)), ownerId, expiresAt }, call.now)
        return ok(201, {
          ok: true,
          code,
          expires_at: expiresAt.toISOString(),
          ttl_seconds: PAIR_CODE_LIFE_SEC,
          instruction: `Give this code to your agent. It calls POST /hub/agents/pair with {"code": "${code}"} and its own key, within 15 minutes.`,
        })
      })
    } catch (error) {
      return outageWithoutTables(error)
    }
  }
