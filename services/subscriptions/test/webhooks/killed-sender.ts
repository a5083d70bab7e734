import { openPool } from '@svc/postgres'
import { FakeClock } from '@svc/testing'
import { deliverWebhooks } from '#webhooks/jobs/deliver-webhooks.ts'
import { openSecretBox } from '#webhooks/secret-box.ts'
import { policyTo } from './receiver.ts'
import { contextOf } from './rig.ts'

/** Runs the job that sends webhooks once, in a process of its own that a test can kill. */
const { TEST_DATABASE_URL = '', TEST_NOW = '', TEST_KEY = '', TEST_REACH = '' } = process.env
const reach = JSON.parse(TEST_REACH) as Parameters<typeof policyTo>[0]
const pool = await openPool(TEST_DATABASE_URL, { size: 2 })
const policy = policyTo(reach, () => ['127.0.0.1'])
await deliverWebhooks(contextOf(pool, new FakeClock(TEST_NOW), policy, openSecretBox(TEST_KEY, null)))(
  AbortSignal.timeout(600_000),
)
await pool.end()
