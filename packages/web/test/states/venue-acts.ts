import type { Page } from 'playwright-core'
import { DETAIL, inDialog, LINK, LIVE, MANDATE, message, OWNER, press, type Act } from './act.ts'
import type { Fed } from './feed.ts'
import { recorded } from './recorded.ts'
import { ago, like } from './stated.ts'

const LEG = 'GET /hub/mandates/{public_id}/hl-leg'
const PLAN = 'GET /hub/mandates/{public_id}/close-all-plan'
const STATUS = 'GET /hub/own/status'
const CHALLENGE = 'POST /hub/own/link/challenge'
const PENDING = 'GET /hub/order/pending'

/** A mandate with a leg, and the states of both. */
const mandateWith = (state: string, leg: string): Readonly<Record<string, Fed>> => ({
  [DETAIL]: like(DETAIL, (body) => ({ ...body, state, limits: { ...(body['limits'] as object), hl_leg: true } })),
  [LIVE]: like(LIVE, (body) => ({ ...body, state })),
  [LEG]: like(LEG, (body) => ({ ...body, state: leg })),
})
/** A stopped mandate whose plan has one step, which a route takes. */
const closing = (action: 'return_leg' | 'release_leg'): Readonly<Record<string, Fed>> => ({
  ...mandateWith('stopped', 'bound'),
  [PLAN]: like(PLAN, (body) => ({
    ...body,
    steps: [{ ...(body['steps'] as object[])[0], action, call: null, tx: null, route: 'POST /hub/mandates' }],
  })),
})

/** An account that is linked, without an approval of the fee, and what its wallet signs for it. */
const linked: Readonly<Record<string, Fed>> = {
  [STATUS]: {
    get body() {
      const { builder, max_fee_rate } = recorded('GET /hub/builder-fee/config')
      const nonce = Date.now()
      const said = {
        hyperliquidChain: 'Testnet',
        maxFeeRate: max_fee_rate,
        builder: String(builder).toLowerCase(),
        nonce,
      }
      const fields = { hyperliquidChain: 'string', maxFeeRate: 'string', builder: 'address', nonce: 'uint64' }
      const primaryType = 'HyperliquidTransaction:ApproveBuilderFee'
      const typed_data = {
        domain: {
          name: 'HyperliquidSignTransaction',
          version: '1',
          chainId: 31_337,
          verifyingContract: `0x${'0'.repeat(40)}`,
        },
        types: { [primaryType]: Object.entries(fields).map(([name, type]) => ({ name, type })) },
        primaryType,
        message: said,
      }
      return {
        ...recorded(STATUS),
        wallet: OWNER,
        checks: [{ id: 'builder_fee_approved', ok: false, fix: null }],
        approvals: { order_key: null, builder_fee: { typed_data, nonce }, web_key: null },
      }
    },
  },
}
/** The wallet is that of the local chain. */
const seal = (page: Page) => inDialog(page, 'Sign')
const approveFee = async (page: Page) => {
  await press(page, 'Approve the fee')
  await seal(page)
}
/** Takes the step of the plan that closes a mandate. */
const takeStep = async (page: Page) => {
  await press(page, 'Bring the money back')
  await inDialog(page, 'Take this step')
}
const taken: Fed = { body: { ok: true } }

/** What an owner does with the account at the venue: the leg of a mandate, and the link to trade there. */
export const venueActs: readonly Act[] = [
  {
    route: 'POST /hub/mandates/{public_id}/hl-leg/bind',
    path: MANDATE,
    given: mandateWith('working', 'none'),
    act: async (page) => {
      await press(page, 'Connect the account')
      await press(page, 'Approve the key in the wallet')
      await seal(page)
    },
  },
  {
    route: 'GET /hub/mandates/{public_id}/hl-leg/approve-call',
    path: MANDATE,
    given: mandateWith('working', 'none'),
    act: (page) => press(page, 'Connect the account'),
  },
  {
    route: 'POST /hub/mandates/{public_id}/hl-leg/unbind',
    path: MANDATE,
    given: mandateWith('stopped', 'bound'),
    act: (page) => press(page, 'Release the account'),
  },
  {
    route: 'POST /hub/mandates/{public_id}/hl-leg/unbind',
    path: MANDATE,
    given: closing('release_leg'),
    act: takeStep,
  },
  {
    route: 'POST /hub/mandates/{public_id}/hl-leg/return-call',
    path: MANDATE,
    given: closing('return_leg'),
    act: takeStep,
  },
  {
    route: 'POST /hub/mandates/{public_id}/hl-leg/return',
    path: MANDATE,
    given: closing('return_leg'),
    act: async (page) => {
      await takeStep(page)
      await inDialog(page, 'Sign with the wallet')
      await seal(page)
    },
  },
  {
    route: 'POST /hub/own/link',
    path: LINK,
    given: {
      [CHALLENGE]: like(CHALLENGE, (body) => ({
        ...body,
        message: message('Link the account of this wallet at the venue to account 1 here.', ''),
      })),
    },
    act: async (page) => {
      await press(page, 'Link this wallet')
      await seal(page)
    },
  },
  {
    route: 'POST /hub/own/enable/relay',
    path: LINK,
    given: linked,
    act: approveFee,
  },
  {
    route: 'POST /hub/builder-fee/record',
    path: LINK,
    given: { ...linked, 'POST /hub/own/enable/relay': taken },
    act: approveFee,
  },
  {
    route: 'POST /hub/own/enable/verify',
    path: LINK,
    given: { ...linked, 'POST /hub/own/enable/relay': taken, 'POST /hub/builder-fee/record': taken },
    act: approveFee,
  },
  {
    route: 'POST /hub/own/enable/verify',
    path: LINK,
    given: linked,
    act: (page) => press(page, 'Check at the venue'),
  },
  {
    route: 'POST /hub/order/execute',
    path: '/ui/trade?tab=manual&market=hl%3ABTC',
    given: {
      [PENDING]: like(PENDING, (body) => ({
        ...body,
        items: (body['items'] as object[]).map((item) => ({ ...item, expires_at: ago(-1) })),
      })),
    },
    act: (page) => press(page, /^Execute for/),
  },
]
