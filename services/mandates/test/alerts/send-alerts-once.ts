import { loadSettings, type Environment } from '@svc/contract'
import { mandates } from '@svc/contracts/mandates'
import type { Pool } from '@svc/postgres'
import { openLog, unwatched, type Bus, type Clock } from '@svc/service'
import { createContext } from '#context.ts'
import { jobs } from '#jobs.ts'
import { insertAlert, storeChannel } from '#alerts/store/alerts.ts'
import type { SeededRig } from '../rigs/seeded-rig.ts'

/** Runs the job that sends alerts once, as its process would. Returns the number of sent alerts. */
export async function sendAlertsOnce(pool: Pool, clock: Clock, environment: Environment): Promise<number> {
  const settings = loadSettings(mandates.settings, { HUB_ALERTS_DRY_RUN: '0', ...environment })
  const context = createContext({
    pool,
    clock,
    log: openLog('mandates', 'silent'),
    settings,
    bus: {} as Bus,
    authority: null,
    watch: () => unwatched,
  })
  try {
    return (await jobs.sendAlerts(context)(AbortSignal.timeout(600_000))).done
  } finally {
    await context.documents.close()
  }
}

/** Stores alerts of a new mandate of an owner, one for each text. */
export async function tellOwner(rig: SeededRig, ownerId: number, texts: readonly string[]): Promise<void> {
  const { id: mandateId, publicId } = await rig.newMandate({ ownerId })
  const link = `http://127.0.0.1:8080/ui/mandates/${publicId}`
  for (const text of texts)
    await rig.pool.transaction((tx) =>
      insertAlert(
        tx,
        { ownerId, mandateId, kind: 'foreign_agent', severity: 'critical', text, link, about: text },
        rig.clock.now(),
      ),
    )
}

/** Stores a chat as if its owner had verified it. */
export const provenChat = (rig: SeededRig, ownerId: number, address: string): Promise<void> =>
  rig.pool.transaction((tx) => storeChannel(tx, { ownerId, channel: 'telegram', address }, rig.clock.now()))
