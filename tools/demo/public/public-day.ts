import { command } from '../leg/leg-day.ts'
import { WORKERS } from '../mandate/scene.ts'
import { Surprise } from '../request.ts'
import { adopt, giveCherry, hire, verdictOn, type Follower } from './follower.ts'
import { showAgent, showHall, type HallRow } from './hall.ts'
import { openSeller, type PublicStage, type Seller } from './house.ts'
import { COIN, publishSignal, publishSubscription, publishTemplate } from './listings.ts'
import { readForCherry } from './reader.ts'
import { verifyRow } from './verify.ts'

/** Who is left after the day: the follower's mandate has no follow, and the listing of signals is on sale. */
export interface PlayedDay {
  readonly seller: Seller
  readonly follower: Follower
  readonly listingId: string
}

/** Plays the public side on a platform with a history: Hall, template, signals, adoption, hire, follow and paid reads. */
export async function publicDay(scene: PublicStage): Promise<PlayedDay> {
  const { walk, history } = scene
  const rows = await showHall(walk, history.agents.length)
  const best = bestSeller(rows)
  await showAgent(walk, best.agent_id)
  await verifyRow(scene, rows)
  const index = history.agents.findIndex(({ agentId }) => agentId === best.agent_id)
  const seller = await openSeller(scene, index, history.agents[index]?.owner ?? index)
  const templateId = await publishTemplate(scene, seller)
  const { listingId, vaultId } = await publishSubscription(scene, seller)
  await publishSignal(seller, vaultId, { side: 'long', weight_bps: 2_500 })
  const follower = await adopt(scene, templateId)
  await hire(scene, follower, listingId)
  await follow(scene, { seller, follower, vaultId })
  await readForCherry(scene, listingId)
  await leave(scene, { seller, follower, listingId, templateId })
  await command(scene.venue, 'follow', { coin: COIN })
  return { seller, follower, listingId }
}

/** Returns the first agent of the Hall that may sell without an admin. */
function bestSeller(rows: readonly HallRow[]): HallRow {
  const found = rows.find(({ ranked, violations, independent_owners }) => {
    return ranked && violations === 0 && independent_owners !== '0'
  })
  if (found === undefined) throw new Surprise('the Hall ranks nobody who may publish')
  return found
}

/** Signals are followed once each: a purchase, a turn and a close. */
async function follow(
  scene: PublicStage,
  { seller, follower, vaultId }: { readonly seller: Seller; readonly follower: Follower; readonly vaultId: string },
): Promise<void> {
  const { walk } = scene
  walk.chapter('Signals are followed, each exactly once')
  walk.say('The signal that was published before the hire is never followed.')
  const unpaid = await publishSignal(seller, vaultId, { side: 'long', weight_bps: 4_000 })
  walk.expect('the verdict', (await verdictOn(scene, follower, unpaid)).verdict, 'skipped_unpaid')
  walk.say('A followed signal costs what a read costs, and the owner has no Cherry yet.')
  await giveCherry(scene, follower)
  for (const [signal, held] of [
    [{ side: 'long', weight_bps: 5_000 }, 1],
    [{ side: 'flat', weight_bps: 0 }, 0],
  ] as const) {
    const seq = await publishSignal(seller, vaultId, signal)
    const { verdict, gap_bps } = await verdictOn(scene, follower, seq)
    walk.expect('the verdict', verdict, 'followed')
    if (gap_bps === null) throw new Surprise(`signal ${seq} was followed without a gap on record`)
    await walk.until('the position at the venue', WORKERS, async () => {
      const { positions } = await follower.asOwner(`${follower.path}/hl-leg`, 200, { quiet: true })
      return positions.length === held
    })
  }
}

/** Release, and withdrawal: nothing new begins, and what was recorded stays. */
async function leave(
  { walk }: PublicStage,
  given: {
    readonly seller: Seller
    readonly follower: Follower
    readonly listingId: string
    readonly templateId: string
  },
): Promise<void> {
  const { seller, follower, listingId, templateId } = given
  walk.chapter('Release, and withdrawal')
  const body = { mandate_id: follower.publicId }
  await follower.asOwner(`/hub/gallery/${listingId}/release`, 200, {
    body,
    show: ['follow'],
    expect: { 'follow.end_reason': 'released' },
  })
  await seller.asAgent(`/hub/gallery/${templateId}/withdraw`, 200, {
    body: {},
    show: ['ok'],
    expect: { 'listing.status': 'withdrawn' },
  })
  await follower.asOwner(`/hub/gallery/${templateId}/adopt`, 409, {
    body: {},
    show: ['code'],
    expect: { code: 'listing_withdrawn' },
  })
  await walk.until('the follow gap in the listing', { everyMs: 1_000 }, async () => {
    const { body: listing } = await walk.ask(`/hub/gallery/${listingId}`, 200, { quiet: true })
    return listing.recorded.follow_gap_bps_median !== null
  })
  await walk.ask(`/hub/gallery/${listingId}`, 200, {
    show: ['status', 'recorded', 'signals_head'],
    note: 'What followers really got stands in the listing, not what the seller says.',
  })
}
