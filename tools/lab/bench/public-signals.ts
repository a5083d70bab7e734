import type { Contract } from '@svc/contract'
import { ok } from '@svc/contract'
import { hlLeg } from '@svc/contracts/hl-leg'
import { mandates } from '@svc/contracts/mandates'
import { inParallel } from '@svc/chain'
import { startService, type AnyHandler, type RunningService } from '@svc/service'
import { ask, type Answer, type Ask } from '@svc/tools/flow/client.ts'
import { registerAgent, signIn } from '@svc/tools/flow/people.ts'
import type pg from 'pg'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { setTimeout as pause } from 'node:timers/promises'
import { NO_LIMITS } from '@svc/tools/dev/no-limits.ts'
import type { Figure } from './result.ts'
import { startServices, type Stage } from './stage.ts'

const NAMES = ['identity', 'subscriptions', 'hl-relay', 'gallery', 'gateway']
/** Agent account of the house runner; it only has to differ from the seller. */
const RUNNER = 900_000
const WAIT_MS = 300_000

/** How many signals a seller publishes, and how many mandates follow each. */
interface Size {
  readonly signals: number
  readonly followers: number
}

/**
 * Publishes signals through the API to followers whose mandates and legs are answered by stand-ins, in a dry run: nothing but
 * gallery, its database and the venue's prices takes part.
 */
export async function followSignals(stage: Stage, { signals, followers }: Size): Promise<Figure> {
  const neighbours = await startNeighbours(stage)
  try {
    await using services = await startServices(stage, {
      names: NAMES,
      settings: {
        SVC_LOG_LEVEL: 'silent',
        ...NO_LIMITS,
        SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED: '1',
        SVC_OPVAULT_SIGNAL_PUBLISH_RATE_PER_HOUR: '1000000',
        HUB_HOUSE_RUNNER_USER_ID: String(RUNNER),
      },
    })
    const url = `http://127.0.0.1:${services.port}`
    const { key, vaultId, listingId } = await openSeller(stage, url)
    await seedFollows(stage.admin, { listingId, vaultId, followers })
    await pricesAreKnown(url, key, vaultId)
    const published = await publish(url, key, vaultId, signals)
    const seconds = await decided(stage.admin, signals * followers, published)
    return {
      what: `${signals.toLocaleString('en')} signals to ${followers.toLocaleString('en')} followers: from the last publication to the last verdict, each exactly once (dry run)`,
      goal: '≤ 60 s',
      measured: `${seconds.toFixed(1)} s for ${(signals * followers).toLocaleString('en')} verdicts`,
      met: seconds <= 60,
      holdsBack: 'A row and two index entries for each verdict, on disk.',
    }
  } finally {
    for (const one of neighbours) await one.stop()
  }
}

/** The account that a seeded follow names: the number of its mandate. */
const accountOf = (publicId: string) => `0x${publicId.slice('mdt_'.length).padStart(40, '0')}`

/** Answers for mandates and hl-leg: every mandate works, and its leg has 100 USDC. */
async function startNeighbours({ prepared }: Stage): Promise<readonly RunningService[]> {
  const now = new Date().toISOString()
  const readFollowMandates = async ({ public_ids }: { public_ids: readonly string[] }) =>
    ok(200, {
      mandates: public_ids.map((public_id) => ({
        public_id,
        agent_id: RUNNER,
        owner_id: 10_000,
        state: 'working',
        markets: ['hl:BTC'],
        budget_usdc: '100',
        per_tx_cap_usdc: '100',
        daily_cap_usdc: '100',
        stop_line_usdc: '10',
        fee_bps: 1_000,
        approval_above_usdc: null,
        open_max_usdc: '100',
        may_close: true,
      })),
    })
  const readFollowLegs = async ({ public_ids }: { public_ids: readonly string[] }) =>
    ok(200, {
      legs: public_ids.map((public_id) => ({
        public_id,
        state: 'bound',
        network: 'testnet',
        owner_address: accountOf(public_id),
        read_at: now,
        value_usdc: '100',
        equity_usdc: '100',
        funded: true,
        positions: [],
      })),
    })
  // The venue on this machine counts no weight.
  const spendVenueWeight = async () => ok(200, { retry_at: null })
  const play = (contract: object, answers: Readonly<Record<string, unknown>>) => {
    const peer = { ...(contract as Contract), consumes: [], postgres: false, settings: {}, jobs: {} } as Contract
    const silent = () => Promise.reject(new Error('no part of this benchmark'))
    return startService(peer, [], prepared.environmentOf(peer.name, { SVC_LOG_LEVEL: 'silent' }), () => ({
      handlers: Object.fromEntries(
        Object.keys(peer.operations).map((name) => [name, (answers[name] ?? silent) as AnyHandler]),
      ),
    }))
  }
  return [await play(mandates, { readFollowMandates }), await play(hlLeg, { readFollowLegs, spendVenueWeight })]
}

async function good(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** An operator with a listing of signals. */
async function openSeller({ prepared }: Stage, url: string) {
  const agent = await registerAgent(url, 'seller')
  const owner = await signIn(url, privateKeyToAccount(generatePrivateKey()))
  const admin = await signIn(url, prepared.house.admin)
  const asked = (path: string, more: Ask) => good(ask(url, path, more))
  const { code } = await asked('/hub/agents/pair-code', { token: owner.token, body: {} })
  await asked('/hub/agents/pair', { key: agent.key, body: { code } })
  const { items } = await asked('/auth/agent/keys', { key: agent.key })
  await asked(`/hub/agents/${agent.id}/keys/${items[0].key_id}/scopes`, {
    token: owner.token,
    body: { scopes: ['read', 'write', 'tx'] },
  })
  const { operator } = await asked('/admin/operators', {
    token: admin.token,
    body: { agent_id: agent.id, kind: 'signal', title: 'Bench' },
  })
  const { listing } = await asked('/hub/gallery', {
    key: agent.key,
    body: {
      type: 'signal_subscription',
      title: 'Bench',
      summary: 'Bench',
      price_model: 'free',
      ref_vault_id: operator.vault_id,
    },
  })
  return { key: agent.key, vaultId: operator.vault_id as string, listingId: listing.listing_id as string }
}

async function seedFollows(
  admin: pg.Client,
  { listingId, vaultId, followers }: { listingId: string; vaultId: string; followers: number },
): Promise<void> {
  await admin.query(
    `INSERT INTO gallery.follow (id, mandate_id, listing_id, vault_id, agent_id, owner_id, network, account, after_seq, decided_seq,
       hired_by, hired_at)
     SELECT 'fol_' || lpad(n::text, 20, '0'), 'mdt_' || lpad(to_hex(n), 32, '0'), $1, $2, ${RUNNER}, 10000, 'testnet',
       '0x' || lpad(to_hex(n), 40, '0'), 0, 0, 10000, now() FROM generate_series(1, $3::int) AS n`,
    [listingId, vaultId, followers],
  )
}

/** Waits until the relay has read the venue. */
async function pricesAreKnown(url: string, key: string, vaultId: string): Promise<void> {
  const body = { client_id: 'first', market: 'hl:BTC', side: 'long', weight_bps: 1, dry_run: true }
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { status } = await ask(url, `/opvault/vaults/${vaultId}/signals`, { key, body })
    if (status === 201) return
    await pause(300)
  }
  throw new Error('the relay knows no price of the venue')
}

/** Publishes signals side by side; returns when the last one was answered. */
async function publish(url: string, key: string, vaultId: string, signals: number): Promise<number> {
  const valid_until = new Date(Date.now() + 3_600_000).toISOString()
  const numbers = Array.from({ length: signals }, (_, n) => n)
  await inParallel(numbers, async (n) => {
    const body = {
      client_id: `bench-${n}`,
      market: 'hl:BTC',
      side: n % 2 === 0 ? 'long' : 'short',
      weight_bps: 5_000,
      valid_until,
    }
    await good(ask(url, `/opvault/vaults/${vaultId}/signals`, { key, body }))
  })
  return performance.now()
}

/** Waits for all verdicts; returns seconds since the publication. Throws if one is missing, doubled or not a follow. */
async function decided(admin: pg.Client, wanted: number, since: number): Promise<number> {
  const count = async () => {
    const { rows } = await admin.query<{ all: string; followed: string }>(
      `SELECT count(*) AS all, count(*) FILTER (WHERE kind = 'dry_followed') AS followed FROM gallery.verdict`,
    )
    return { all: Number(rows[0]?.all), followed: Number(rows[0]?.followed) }
  }
  for (;;) {
    const { all, followed } = await count()
    const seconds = (performance.now() - since) / 1000
    if (all >= wanted) {
      if (all > wanted || followed !== wanted) throw new Error(`${all} verdicts, ${followed} followed, not ${wanted}`)
      return Math.max(0, seconds)
    }
    if (seconds * 1000 > WAIT_MS) throw new Error(`${all} of ${wanted} verdicts after ${seconds.toFixed(0)} s`)
    await pause(500)
  }
}
