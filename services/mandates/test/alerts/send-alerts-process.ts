import { openPool } from '@svc/postgres'
import { FakeClock } from '@svc/testing'
import { sendAlertsOnce } from './send-alerts-once.ts'

/** One pass of the worker that sends alerts in a process of its own, so that a test can kill it. */
const pool = await openPool(process.env['TEST_DATABASE_URL'] ?? '', { size: 2 })
await sendAlertsOnce(pool, new FakeClock(process.env['TEST_NOW'] ?? ''), process.env)
await pool.end()
