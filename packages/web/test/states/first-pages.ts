import { recorded } from './recorded.ts'
import { ago, like, unknown, withRow, type StatedPage } from './stated.ts'

const DOORS = 'GET /hub/doors'
const PROOF = 'GET /hub/hall/proof'
const STATION = 'GET /hub/info/station-status'
const ROUTES = 'GET /hub/deposit/routes'
const WORKERS = 'GET /hub/status/workers'
const PRODUCTS = 'GET /ui/trade/products'
const NO_PROOF = unknown('mandates_working', 'calls_refused_on_chain', 'days_inside_limits', 'records_verifiable_pct')
const product = recorded<{ items: { title: string }[] }>(PRODUCTS).items[0]?.title ?? ''
const why = recorded<{ items: { why: string }[] }>(DOORS).items[0]?.why ?? ''

export const homePage: StatedPage = {
  name: 'home',
  path: '/ui',
  signedIn: false,
  main: DOORS,
  states: [
    {
      name: 'pending',
      answers: { [PROOF]: like(PROOF, (body) => ({ ...body, ...NO_PROOF, pending: true, computed_at: null })) },
      shows: [/Computed for the first time/, why],
    },
    {
      name: 'stale',
      answers: { [PROOF]: like(PROOF, (body) => ({ ...body, stale: true, computed_at: ago(11) })) },
      shows: [/from 1[1-4] min ago/],
    },
    { name: 'null', answers: { [PROOF]: like(PROOF, (body) => ({ ...body, ...NO_PROOF })) }, shows: ['—'] },
    {
      name: 'locked doors',
      answers: { [DOORS]: like(DOORS, withRow('items', { status: 'locked', why: 'Closed by hand.' })) },
      shows: ['Closed by hand.'],
      hides: [why],
    },
    {
      name: 'a venue that does not answer',
      answers: {
        [STATION]: like(STATION, (body) => ({ ...body, relay_ok: false, labels: { relay: 'Silent venue' } })),
      },
      shows: ['Silent venue'],
    },
  ],
}

export const depositPage: StatedPage = {
  name: 'deposit',
  path: '/ui/deposit',
  signedIn: false,
  main: ROUTES,
  states: [
    {
      name: 'empty',
      answers: { [ROUTES]: { body: { items: [], next_cursor: null } } },
      shows: ['No way in is configured in this deployment'],
    },
    {
      name: 'null',
      answers: { [ROUTES]: like(ROUTES, withRow('items', { fee_usdc: null, eta_seconds: null, quoted: false })) },
      shows: ['—'],
      hides: [/\d+ s\b/],
    },
    {
      name: 'quoted',
      answers: { [ROUTES]: like(ROUTES, withRow('items', { fee_usdc: '1.25', quoted: true })) },
      shows: ['1.25'],
      hides: [/estimate/i],
    },
  ],
}

export const statusPage: StatedPage = {
  name: 'status',
  path: '/ui/status',
  signedIn: false,
  main: WORKERS,
  states: [
    {
      name: 'pending',
      answers: { [WORKERS]: like(WORKERS, (body) => ({ ...body, pending: true, computed_at: null, workers: [] })) },
      shows: ['No worker has told of itself yet.'],
    },
    {
      name: 'null',
      answers: {
        [WORKERS]: like(WORKERS, (body) => ({
          ...body,
          legs: null,
          oldest_worth_reading_age_sec: null,
          snapshots: [],
          stop_line: {
            watched_since: null,
            unavailable_pct_30d: null,
            vaults_unavailable_pct_30d: null,
            legs_unavailable_pct_30d: null,
          },
        })),
      },
      shows: ['—'],
      hides: [/\d%/],
    },
    {
      name: 'degraded',
      answers: { [WORKERS]: like(WORKERS, withRow('workers', { state: 'late', last_run_age_sec: 600 })) },
      shows: [/1 of 1 workers/, '10 min ago'],
    },
  ],
}

export const watchPage: StatedPage = {
  name: 'trade',
  path: '/ui/trade',
  signedIn: false,
  main: PRODUCTS,
  states: [
    {
      name: 'stale',
      answers: { [PRODUCTS]: like(PRODUCTS, (body) => ({ ...body, stale: true, computed_at: ago(11) })) },
      shows: [/from 1[1-4] min ago/, product],
    },
    {
      name: 'sample',
      answers: { [PRODUCTS]: like(PRODUCTS, (body) => ({ ...body, made_up: true })) },
      shows: ['Made-up prices', 'play money'],
    },
    {
      name: 'of unknown origin',
      answers: { [PRODUCTS]: like(PRODUCTS, (body) => ({ ...body, made_up: undefined })) },
      shows: ['Prices not known to be real'],
      hides: ['Made-up prices'],
    },
    {
      name: 'null',
      answers: {
        [PRODUCTS]: like(
          PRODUCTS,
          withRow('items', { mark_price: null, change_24h_pct: null, funding_hourly: null, volume_24h_usd: null }),
        ),
      },
      shows: ['—', product],
      hides: [/\d%/],
    },
    {
      name: 'empty',
      answers: { [PRODUCTS]: like(PRODUCTS, (body) => ({ ...body, items: [] })) },
      shows: [/no market|matches/i],
    },
  ],
}
