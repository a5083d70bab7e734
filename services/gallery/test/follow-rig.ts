import { randomBytes } from 'node:crypto'
import type { Caller } from '@svc/contract'
import { openPool, sql } from '@svc/postgres'
import { openLog, type Call } from '@svc/service'
import { dyingAfter, FakeClock } from '@svc/testing'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { newId } from '#new-id.ts'
import { insertSignal, signalHeads, type Signal } from '#signals/store/signals.ts'
import { RUNNER, RUNNER_KEY, startFollowWorld, type Follower, type FollowWorld } from './follow-world.ts'
import { owner, RIG_START, startGalleryRig, type GalleryRig } from './rig.ts'

/** A listing with the vault of its signals. */
export interface Sold {
  readonly listingId: string
  readonly vaultId: string
  readonly operatorId: string
}

/** gallery with a house runner, and a world in which its orders execute. */
export interface FollowRig extends GalleryRig {
  readonly world: FollowWorld
  newListing(some?: { readonly price?: number; readonly type?: string; readonly house?: boolean }): Promise<Sold>
  setStatus(listing: Sold, status: 'suspended' | 'withdrawn'): Promise<void>
  endOperator(listing: Sold): Promise<void>
  /** Publishes a signal now. */
  publish(listing: Sold, some?: Partial<Signal>): Promise<Signal>
  /** Hires a listing for a new follower, as its owner. */
  newFollow(listing: Sold, some?: Partial<Follower>): Promise<Follower>
  verdicts(follower: Follower): Promise<readonly StoredVerdict[]>
  /** Reasons of which the owner was told that a follow ended. */
  told(follower: Follower): Promise<readonly string[]>
}

const verdictRow = z.object({
  seq: z.number(),
  kind: z.string(),
  reason: z.string().nullable(),
  signal_price: z.string().nullable(),
  fill_price: z.string().nullable(),
  gap_bps: z.string().nullable(),
  delay_ms: z.number().nullable(),
})
export type StoredVerdict = z.output<typeof verdictRow>

export async function startFollowRig(
  options: { readonly dry?: boolean; readonly key?: boolean } = {},
): Promise<FollowRig> {
  const { dry = false, key = true } = options
  let clock = new FakeClock(RIG_START)
  const world = await startFollowWorld(() => clock)
  const rig = await startGalleryRig({
    environment: {
      SVC_GATEWAY_URL: world.url,
      HUB_HOUSE_RUNNER_USER_ID: String(RUNNER),
      ...(key ? { HUB_HOUSE_RUNNER_KEY: RUNNER_KEY } : {}),
      HUB_HOUSE_FOLLOW_DRY_RUN: dry ? '1' : '0',
    },
  })
  clock = rig.clock
  for (const name of ['mandates', 'leg', 'relay', 'subscriptions'] as const)
    Object.assign(rig.peers[name].answers, world.answers[name])
  const { pool } = rig
  await keepEvents(rig.stack.databaseOf('gallery').superuserUrl)
  const stopRig = rig.stop
  let made = 0
  const newListing: FollowRig['newListing'] = async ({
    price = null,
    type = 'signal_subscription',
    house = false,
  } = {}) => {
    made += 1
    const [operatorId, vaultId, listingId] = [newId('opr'), newId('opv'), newId('lst')]
    const at = rig.clock.now().toISOString()
    await pool.query(sql.unsafe`
      INSERT INTO operator (id, agent_id, kind, title, house, vault_id, source, created_at)
      VALUES (${operatorId}, ${500 + made}, 'signal', 'Trend', ${house}, ${vaultId}, 'admin', ${at})`)
    await pool.query(sql.unsafe`
      INSERT INTO listing (id, type, seller_agent_id, title, summary, price_model, price_cherry, vault_id, body, published_at)
      VALUES (${listingId}, ${type}, ${500 + made}, 'Trend', 'Slow', ${price === null ? 'free' : 'paid_read'}, ${price},
        ${type === 'strategy_template' && !house ? null : vaultId},
        ${JSON.stringify({ editable_params: [], template: null, cited: [] })}, ${at})`)
    await pool.query(sql.unsafe`
      INSERT INTO listing_status (listing_id, seq, status, reason, at) VALUES (${listingId}, 1, 'live', 'published', ${at})`)
    return { listingId, vaultId, operatorId }
  }
  const publish: FollowRig['publish'] = (listing, some = {}) =>
    pool.transaction(async (tx) => {
      const [head] = await signalHeads(tx, [listing.vaultId])
      const signal: Signal = {
        id: newId('sig'),
        vault_id: listing.vaultId,
        seq: (head?.seq ?? 0) + 1,
        client_id: randomBytes(8).toString('hex'),
        market: 'hl:BTC',
        side: 'long',
        weight_bps: 5_000,
        limit_price: null,
        valid_until: null,
        note: null,
        recorded_price: world.prices.get(some.market ?? 'hl:BTC') ?? '1',
        recorded_at: rig.clock.now().toISOString(),
        salt: randomBytes(32).toString('hex'),
        previous_hash: head?.hash ?? '',
        hash: randomBytes(32).toString('hex'),
        ...some,
      }
      await insertSignal(tx, signal)
      return signal
    })
  // The rig has members that are read at each use, so it is not copied.
  return Object.defineProperties(
    rig,
    Object.getOwnPropertyDescriptors({
      world,
      newListing,
      publish,
      setStatus: async ({ listingId }: Sold, status: string) => {
        await pool.query(sql.unsafe`
          INSERT INTO listing_status (listing_id, seq, status, reason, at)
          VALUES (${listingId}, 2, ${status}, 'test', ${rig.clock.now().toISOString()})`)
      },
      endOperator: async ({ operatorId }: Sold) => {
        await pool.query(sql.unsafe`
          INSERT INTO operator_end (operator_id, reason, at) VALUES (${operatorId}, 'test', ${rig.clock.now().toISOString()})`)
      },
      newFollow: async ({ listingId }: Sold, some: Partial<Follower> = {}) => {
        const follower = world.newFollower(some)
        await rig.as(owner(follower.ownerId)).hireListing({ listing_id: listingId, mandate_id: follower.id })
        return follower
      },
      verdicts: ({ id }: Follower) =>
        pool.any(sql.type(verdictRow)`
          SELECT seq, kind, reason, signal_price::text, fill_price::text, gap_bps::text, delay_ms FROM verdict
          WHERE mandate_id = ${id} ORDER BY decided_at, seq`),
      told: ({ id }: Follower) =>
        pool.anyFirst(sql.type(z.object({ reason: z.string() }))`
          SELECT payload->>'reason' AS reason FROM kept_event WHERE payload->>'public_id' = ${id} ORDER BY id`),
      stop: async () => {
        await world.close()
        await stopRig()
      },
    }),
  ) as FollowRig
}

/** Keeps what is published, since the relay takes it out of the outbox. */
async function keepEvents(url: string): Promise<void> {
  const pool = await openPool(url, { size: 1 })
  await pool.query(sql.unsafe`CREATE TABLE gallery.kept_event (id bigserial, payload json)`)
  await pool.query(sql.unsafe`GRANT SELECT ON gallery.kept_event TO gallery_app`)
  await pool.query(sql.unsafe`
    CREATE FUNCTION gallery.keep_event() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS
      'BEGIN INSERT INTO gallery.kept_event (payload) VALUES (NEW.payload); RETURN NEW; END'`)
  await pool.query(sql.unsafe`
    CREATE TRIGGER keep_event AFTER INSERT ON gallery.outbox FOR EACH ROW EXECUTE FUNCTION gallery.keep_event()`)
  await pool.end()
}

/** A context of a process that ends before its step number `lives`: nothing that it asks for is answered any more. */
export function dyingContext(
  context: Context,
  lives: number,
): { readonly context: Context; readonly ended: Promise<'killed'> } {
  const { wrap, ended } = dyingAfter(lives)
  const { pool, ask, publicApi } = context
  const asked = Object.fromEntries(Object.entries(ask).map(([name, client]) => [name, wrap(client)]))
  const dying = { pool: wrap(pool), ask: asked, publicApi: publicApi === null ? null : wrap(publicApi) }
  return {
    context: Object.create(context, Object.getOwnPropertyDescriptors(dying)) as Context,
    ended,
  }
}

/** A call of an account, as the kit hands it to a handler of this context. */
export function callOf({ pool, clock }: Context, caller: Caller): Call {
  return {
    requestId: 'test',
    deadline: Date.now() + 20_000,
    client: null,
    now: clock.now(),
    log: openLog('test', 'silent'),
    effect: (work) => pool.transaction(work),
    markReplayed: () => {},
    idempotencyKey: null,
    isDryRun: false,
    caller,
    from: 'gateway',
  }
}
