import { randomUUID } from 'node:crypto'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { hlRelay } from '@svc/contracts/hl-relay'
import { callRaw, openBus, openLog } from '@svc/service'
import { randomRead } from './random-reads.ts'

/**
 * Floods hl-relay as the gateway would: `{ requests, perSecond }` begins, and the answer counts the replies by status. It takes
 * only the processor that others leave, because strangers do not run on the machine of the leg.
 */
setPriority(constants.priority.PRIORITY_LOW)
const bus = await openBus({
  url: process.env['SVC_NATS_URL'] ?? '',
  name: 'gateway',
  seed: process.env['SVC_NATS_SEED'] ?? null,
  log: openLog('gateway', 'silent'),
})

async function statusOf(n: number): Promise<string> {
  const [operation, input] = randomRead(n)
  const call = { id: randomUUID(), by: Date.now() + 600_000 }
  const { head } = await callRaw(bus, 'gateway', hlRelay.operations[operation], JSON.stringify(input), call)
  return String(head.s)
}

async function flood({ requests, perSecond }: { requests: number; perSecond: number }) {
  const counts: Record<string, number> = {}
  const started = performance.now()
  const replies: Promise<void>[] = []
  for (let n = 0; n < requests; n += 1) {
    const aheadMs = (n * 1_000) / perSecond - (performance.now() - started)
    if (aheadMs > 5) await delay(aheadMs)
    const count = (status: string) => void (counts[status] = (counts[status] ?? 0) + 1)
    replies.push(statusOf(n).then(count, () => count('none')))
  }
  await Promise.all(replies)
  return counts
}

process.on('message', (given: { requests: number; perSecond: number }) => {
  void flood(given).then((counts) => process.send?.(counts))
})
process.on('disconnect', () => void bus.close().then(() => process.exit()))
process.send?.('ready')
