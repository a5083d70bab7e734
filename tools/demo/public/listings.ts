import { randomBytes } from 'node:crypto'
import type { PublicStage, Seller } from './house.ts'

/** Market of the venue in which the demo follows. */
export const COIN = 'ETH'
export const MARKET = `hl:${COIN}`
/** Cherry for one signal: a newcomer's ten are enough for one. */
export const PRICE_CHERRY = 6

/** A ranked agent publishes a template; a stranger may not publish for another's vault. */
export async function publishTemplate({ walk }: PublicStage, seller: Seller): Promise<string> {
  walk.chapter('A ranked agent publishes a template')
  const { listing } = await seller.asAgent('/hub/gallery', 201, {
    body: {
      type: 'strategy_template',
      title: 'Small trades, daily',
      summary: 'One small trade a day at the test venue or at the perpetuals testnet.',
      price_model: 'free',
      template: {
        markets: ['testvenue', MARKET],
        per_tx_cap_usdc: '30',
        daily_cap_usdc: '50',
        stop_line_usdc: '20',
        days: 30,
      },
      editable_params: [
        { key: 'per_tx_cap_usdc', title: 'Per trade', unit: 'usdc', min: '5', max: '30', step: '5', default: '30' },
      ],
      cited: [
        {
          url: 'https://example.com/track-record',
          source_name: 'The seller',
          as_of_date: new Date().toISOString().slice(0, 10),
          claim_text: '400 days live',
        },
      ],
    },
    show: ['ok'],
    note: 'Ranked, and without a violation in 30 days: no admin has to allow it.',
  })
  const { recorded, cited } = listing
  walk.say(
    `Recorded by the service: ${recorded.days_live} days live, ${recorded.adherence_pct} % of them inside limits.`,
  )
  const [claim] = cited
  const [figure] = claim.cited_vs_recorded
  walk.say(`Claimed by the seller: "${claim.claim_text}". Beside it stands what was recorded: ${figure.recorded}.`)
  walk.expect('the figure of the claim', [figure.figure, figure.cited], ['days_live', 400])
  return listing.listing_id
}

/** An admin makes the agent an operator, which sells signals. */
export async function publishSubscription(
  { walk, house }: PublicStage,
  seller: Seller,
): Promise<{ listingId: string; vaultId: string; operatorId: string }> {
  walk.chapter('An operator, and a paid listing of signals')
  const asAdmin = walk.as({ token: await walk.signIn(house.admin, 'The admin') })
  await seller.asAgent('/opvault/vaults/opv_00000000000000000000/signals', 403, {
    body: { client_id: 'x', market: MARKET, side: 'long', weight_bps: 1 },
    show: ['code'],
    expect: { code: 'not_on_allowlist' },
    note: "Somebody else's vault, or none: the answer does not tell.",
  })
  // An agent has a title once, and the demo can be repeated.
  const title = `${seller.name}, signals ${randomBytes(3).toString('hex')}`
  const { operator } = await asAdmin('/admin/operators', 201, {
    body: { agent_id: seller.agentId, kind: 'signal', title },
    show: ['operator'],
  })
  const { listing } = await seller.asAgent('/hub/gallery', 201, {
    body: {
      type: 'signal_subscription',
      title: `${COIN} by day`,
      summary: `Where ${seller.name} stands in ${COIN}.`,
      price_model: 'paid_read',
      price_cherry: PRICE_CHERRY,
      ref_vault_id: operator.vault_id,
    },
    show: ['ok'],
  })
  return { listingId: listing.listing_id, vaultId: operator.vault_id, operatorId: operator.operator_id }
}

let published = 0

/** Publishes a signal; returns its number. */
export async function publishSignal(
  seller: Seller,
  vaultId: string,
  signal: { readonly side: 'long' | 'short' | 'flat'; readonly weight_bps: number },
): Promise<number> {
  published += 1
  const { seq } = await seller.asAgent(`/opvault/vaults/${vaultId}/signals`, 201, {
    body: { client_id: `demo-${published}`, market: MARKET, ...signal },
    show: ['seq', 'recorded_price', 'recorded_at', 'hash'],
  })
  return seq
}
