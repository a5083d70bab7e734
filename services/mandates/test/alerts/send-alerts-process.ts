import { openPool } from '@svc/postgres'
import { FakeClock } from '@svc/testing'
import { sendAlertsOnce } from './send-alerts-once.ts'

/** Runs the job that sends alerts once, in a separate process that a test can kill. */
const pool = await openPool(process.env['TEST_DATABASE_URL'] ?? '', { size: 2 })
await sendAlertsOnce(pool, new FakeClock(process.env['TEST_NOW'] ?? ''), process.env)
await pool.end()
