import type { Pool } from '@svc/postgres'
import type { SecretBox } from './secret-box.ts'
import { forgetOldSecrets, lockWebhook, sealedOtherwise, storeWebhook, type StoredWebhook } from './store/webhooks.ts'

/** Webhooks of one read. */
const PAGE = 500

/** Returns the secrets under the current key; null if no key opens what another one sealed. */
function resealed(box: SecretBox, { id, secret, old_secret }: StoredWebhook): Partial<StoredWebhook> | null {
  const again = (sealed: string | null) => {
    if (sealed === null || sealed.startsWith(`${box.keyName}.`)) return null
    const opened = box.open(id, sealed)
    return opened === null ? null : box.seal(id, opened)
  }
  const [next, old] = [again(secret), again(old_secret)]
  return next === null && old === null ? null : { secret: next ?? secret, old_secret: old ?? old_secret }
}

/**
 * Encrypts secrets under the current key that are stored under the previous one, and deletes former secrets that sign no longer.
 * What no key opens stays as it is and is not written.
 */
export async function resealSecrets(pool: Pool, box: SecretBox, now: Date): Promise<void> {
  await forgetOldSecrets(pool, now)
  for (let page = await sealedOtherwise(pool, box.keyName, '', PAGE); page.length > 0;) {
    for (const one of page) {
      if (resealed(box, one) === null) continue
      await pool.transaction(async (tx) => {
        const webhook = await lockWebhook(tx, one.account_id, one.id)
        const change = webhook === null ? null : resealed(box, webhook)
        if (change !== null) await storeWebhook(tx, one.id, change)
      })
    }
    page = await sealedOtherwise(pool, box.keyName, page.at(-1)?.id ?? '', PAGE)
  }
}
