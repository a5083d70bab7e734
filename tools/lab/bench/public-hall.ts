// Computes the Hall by the job of gallery, in a process of its own so that nothing else is counted. Its heap is fitted as
// that of gallery's own process is (docs/adr/0015).
import { loadSettings } from '@svc/contract'
import { gallery } from '@svc/contracts/gallery'
import { createContext } from '@svc/gallery/context'
import { jobs } from '@svc/gallery/jobs'
import { openPool } from '@svc/postgres'
import { openBus, openInternal, openLog, systemClock } from '@svc/service'

const log = openLog('gallery', 'silent')
const { SVC_POSTGRES_URL = '', SVC_NATS_URL = '', SVC_NATS_SEED = '' } = process.env
const context = createContext({
  pool: await openPool(SVC_POSTGRES_URL),
  settings: loadSettings(gallery.settings, process.env),
  clock: systemClock,
  log,
  bus: await openBus({ url: SVC_NATS_URL, name: 'gallery', seed: SVC_NATS_SEED, log }),
} as Parameters<typeof createContext>[0])
const pass = jobs.hallSnapshot(context)

await openInternal({ ...process.env, SVC_INTERNAL_PORT: '0' }, [])
process.on('message', () => {
  const begun = performance.now()
  void pass(AbortSignal.timeout(300_000)).then(
    (report) => {
      const seconds = (performance.now() - begun) / 1000
      process.send?.({ ...report, seconds, mb: process.resourceUsage().maxRSS / 1000 })
    },
    (error: unknown) => process.send?.({ problem: String(error) }),
  )
})
process.send?.({ ready: true })
