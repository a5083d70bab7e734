import { randomInt } from 'node:crypto'
import { refuse, type Refusal } from '@svc/contract'
import { common } from '@svc/contracts'
import { callerOf, Outage, type Call, type Delivery } from '@svc/service'
import { clientHash } from '#client-hash.ts'
import type { Context } from '#context.ts'
import { CODE_LIFE_MS, CODES_COUNTED_MS, CODES_MAX, hashCode, isSameHash, writeCode } from './rules/channel-code.ts'
import { storeChannel } from './store/alerts.ts'
import { deleteCode, endCodes, insertCode, lockAndCountCodes, takeCodeTry } from './store/channel-codes.ts'
import { CODE_TRIES, type AlertChannel } from '@svc/contracts/mandates/alerts'

/**
 * Sends a code to an address for alerts. Returns when the code expires. The code is stored and counted before it is sent,
 * so that the limits apply even if the process ends. A code whose sending failed for now does not count.
 */
export async function sendCode(
  { pool }: Context,
  call: Call,
  to: { readonly channel: AlertChannel; readonly address: string },
  send: (code: string) => Promise<Delivery>,
  refused: Refusal,
): Promise<Date> {
  const code = writeCode((limit) => randomInt(limit))
  const expiresAt = new Date(call.now.getTime() + CODE_LIFE_MS)
  const ownerId = callerOf(call).account_id
  const asked = { ...to, ownerId, client: clientHash(call.client ?? 'unknown', call.now) }
  const id = await pool.transaction(async (tx) => {
    const sent = await lockAndCountCodes(tx, asked, new Date(call.now.getTime() - CODES_COUNTED_MS))
    const passed = (['owner', 'address', 'client'] as const).find((whose) => sent[whose] >= CODES_MAX[whose])
    if (passed !== undefined)
      refuse(common.rateLimited, `At most ${CODES_MAX[passed]} codes a day for one ${passed}.`, {
        fix: 'Use the newest code, or request the next one a day after the first.',
      })
    return insertCode(tx, { ...asked, hash: hashCode(ownerId, code), expiresAt }, call.now)
  })
  const delivery = await send(code)
  if (delivery.sent) return expiresAt
  if (delivery.final) refuse(refused)
  await pool.transaction((tx) => deleteCode(tx, id))
  throw new Outage(to.channel, delivery.failure)
}

/** Verifies a code and stores its address as the one for alerts. Returns the address. */
export async function takeCode(
  { pool }: Context,
  call: Call,
  channel: AlertChannel,
  code: string,
  refusals: { readonly wrong: Refusal; readonly none: Refusal },
): Promise<string> {
  const ownerId = callerOf(call).account_id
  // Refused after the commit, because a refusal inside would roll back the count of a wrong try.
  const tried = await pool.transaction(async (tx) => {
    const newest = await takeCodeTry(tx, ownerId, channel, call.now)
    if (newest === null) return null
    const right = isSameHash(newest.code_hash, hashCode(ownerId, code))
    if (right) {
      await storeChannel(tx, { ownerId, channel, address: newest.address }, call.now)
      await endCodes(tx, ownerId, channel, call.now)
    }
    return { ...newest, right }
  })
  if (tried === null) return refuse(refusals.none)
  if (!tried.right) return refuse(refusals.wrong, undefined, { tries_left: CODE_TRIES - tried.tries })
  return tried.address
}
