import { openPool } from '@svc/postgres'
import { z } from 'zod'
import { plannedColumns } from '#orders/store/order-columns.ts'

/**
 * Runs the store with a further column of an order and prints what it returns. A process of its own, because the store builds its
 * statements once.
 */
// The line that a column needs.
Object.assign(plannedColumns, { deskLabel: z.string().nullable() })
const { findOrder, insertOrder, insertSigned, replanOrder } = await import('#orders/store/orders.ts')

const pool = await openPool(process.env['TEST_DATABASE_URL'] ?? '', { size: 1 })
const now = new Date('2026-11-21T09:00:00.000Z')
const order = {
  publicId: 'mdt_1',
  orderKey: 'judged',
  requestHash: 'h',
  clientId: null,
  accountId: 7,
  by: 'agent',
  ownerId: 8,
  account: `0x${'1'.repeat(40)}`,
  network: 'testnet',
  market: 'hl:ETH',
  coin: 'ETH',
  dex: '',
  side: 'buy',
  opening: true,
  size: '1',
  worstPrice: '3000',
  markPrice: '2990',
  notionalUsdc: '2990',
  amountUsdc: '2990',
  referencePrice: '2991',
  bestBid: '2989',
  bestAsk: '2991',
  cloid: `0x${'2'.repeat(32)}`,
  readings: [],
  bookTime: 1,
  deskLabel: 'basis',
} as const
const inserted = await insertOrder(pool, { ...order, readings: [] }, now, now)
if (inserted === null) throw new Error('not stored')
const changed = { ...order, readings: [], deskLabel: 'carry' }
const replanned = await replanOrder(pool, inserted, changed, now)
const found = await findOrder(pool, order.publicId, order.orderKey)
const close = { ...order, readings: [], orderKey: 'closed', opening: false, deskLabel: 'hedge' }
const [closed] = await insertSigned(
  pool,
  [{ order: close, signed: { signer: '0x3', nonce: 1, body: '{}', expiresAfter: 2 } }],
  { token: 'one', now, until: now },
)
await pool.end()
const returned = [inserted, replanned, found, closed].map((row) => ({ orderKey: '', deskLabel: undefined, ...row }))
process.stdout.write(JSON.stringify(returned.map(({ orderKey, deskLabel }) => [orderKey, deskLabel])))
