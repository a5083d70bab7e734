import type { Pool } from '@svc/postgres'
import type { SecretBox } from './secret-box.ts'
import { sealedOtherwise, lockWebhook, storeWebhook } from './store/webhooks.ts'

/** Webhooks that are read in a tick; a deployment changes its key rarely. */
const WEBHOOKS_MAX = 500

/** Encrypts secrets under the current key that are stored under the previous one. What no key opens stays as it is. */
export async function resealSecrets(pool: Pool, box: SecretBox): Promise<void> {
  for (const { id, account_id } of await sealedOtherwise(pool, box.keyName, WEBHOOKS_MAX))
    await pool.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, account_id, id)
      if (webhook === null) return
      const again = (sealed: string | null) => {
        const secret = sealed === null ? null : box.open(id, sealed)
        return secret === null ? sealed : box.seal(id, secret)
      }
      await storeWebhook(tx, id, {
        secret: again(webhook.secret) ?? webhook.secret,
        old_secret: again(webhook.old_secret),
      })
    })
}
