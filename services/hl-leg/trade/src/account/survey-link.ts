import type { AnswerTo } from '@svc/hyperliquid'
import type { Tx } from '@svc/postgres'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { listedKey } from '@svc/venue/rules/account'
import type { WeightClass } from '@svc/venue/rules/weights'
import { orderKeyAccount } from './order-keys.ts'
import { keyStanding } from './rules/key-standing.ts'
import { walletRefusal } from './rules/wallet-refusal.ts'
import { newestKey, noteUsed } from './store/order-keys.ts'
import { enableKey, type Link, lockLink, moveKey, noteBuilderFee, noteSurvey } from './store/own-accounts.ts'

/**
 * Examines a linked account at the venue: its mode, its keys, and what the builder may charge. Stores what was found, and
 * what became of the order key, in one transaction. Returns the link; null if it ended meanwhile.
 */
export async function surveyLink(context: Context, by: WeightClass, link: Link): Promise<Link | null> {
  const { venue, pool, clock, settings } = context
  const mode = await venue.ask(by, 'userAbstraction', { user: link.wallet })
  const agents = await venue.ask(by, 'extraAgents', { user: link.wallet })
  const builder = settings.builderAddress?.toLowerCase() as Address | undefined
  const max = builder === undefined ? null : await venue.ask(by, 'maxBuilderFee', { user: link.wallet, builder })
  const now = clock.now()
  return pool.transaction(async (tx) => {
    const locked = await lockLink(tx, link.linkId)
    if (locked === null) return null
    await noteSurvey(tx, link.linkId, walletRefusal({ role: 'user', mode }), now)
    await settleKey(context, tx, { link: locked, asked: link }, agents)
    if (builder !== undefined && max !== null) await noteBuilderFee(tx, link.linkId, { builder, max }, now)
    return lockLink(tx, link.linkId)
  })
}

/**
 * Stores which key of a link the venue lists: the newest, or the one that was enabled before it was offered. `asked` is the
 * link before the venue was asked: what was enabled meanwhile cannot stand in its list.
 */
async function settleKey(
  { seed, clock }: Pick<Context, 'seed' | 'clock'>,
  tx: Tx,
  { link, asked }: { readonly link: Link; readonly asked: Link },
  agents: AnswerTo<'extraAgents'>,
): Promise<void> {
  const now = clock.now()
  const { linkId, epoch, agent, fingerprint } = link
  const former = epoch === null || agent === null || fingerprint === null ? [] : [{ epoch, agent, fingerprint }]
  const newest = await newestKey(tx, linkId)
  const ours = [...(newest === null ? [] : [newest]), ...former].filter(
    (key) => orderKeyAccount(seed, { linkId, ...key }) !== null,
  )
  for (const key of ours) {
    const listed = listedKey(agents, key.agent, now)
    if (listed === null) continue
    await noteUsed(tx, linkId, key.epoch, now)
    await enableKey(tx, linkId, { ...key, validUntil: listed.validUntil === null ? null : new Date(listed.validUntil) })
    return
  }
  if (link.keyState !== asked.keyState || link.agent !== asked.agent) return
  const isOurs = orderKeyAccount(seed, link) !== null
  const state = keyStanding({ state: link.keyState, isOurs, validUntil: link.validUntil }, now)
  if (state !== null) await moveKey(tx, linkId, state)
}
