import { emit, sql, type Pool } from '@svc/postgres'
import { startService } from '@svc/service'
import { ticker } from './ticker.ts'

const holder = process.env['TEST_HOLDER'] ?? ''

/**
 * Writes a row and emits an event in one transaction, which stays open for a moment so that a fault can occur inside
 * it.
 */
const tick = (pool: Pool) => async () => {
  await pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`INSERT INTO tick (holder) VALUES (${holder})`)
    await tx.query(sql.unsafe`SELECT pg_sleep(0.02)`)
    await emit(tx, ticker.events.ticked, { holder })
  })
  return { done: 1 }
}

const service = await startService(ticker, [], process.env, ({ pool }) => ({
  handlers: {},
  jobs: { tick: tick(pool) },
}))
process.send?.('ready')
process.on('disconnect', () => void service.stop().finally(() => process.exit(0)))
