// Marks and funds all paper books by the jobs of hl-trade, in a process of its own with its own connections.
import { loadSettings } from '@svc/contract'
import { hlTrade } from '@svc/contracts/hl-trade'
import { createContext } from '@svc/hl-trade/context'
import { jobs } from '@svc/hl-trade/jobs'
import { openPool } from '@svc/postgres'
import { openBus, openLog, systemClock, unwatched } from '@svc/service'

const log = openLog('hl-trade', 'silent')
const { SVC_POSTGRES_URL = '', SVC_NATS_URL = '', SVC_NATS_SEED = '' } = process.env
const context = createContext({
  pool: await openPool(SVC_POSTGRES_URL),
  authority: null,
  settings: loadSettings(hlTrade.settings, process.env),
  clock: systemClock,
  log,
  bus: await openBus({ url: SVC_NATS_URL, name: 'hl-trade', seed: SVC_NATS_SEED, log }),
  watch: () => unwatched,
})
const jobOf = (name: 'markBooks' | 'fundBooks') => {
  const job = jobs[name]
  if (job === undefined) throw new Error(`there is no job ${name}`)
  return job(context)
}
const [mark, fund] = [jobOf('markBooks'), jobOf('fundBooks')]

process.on('message', () => {
  const begun = performance.now()
  void (async () => {
    const marked = await mark(AbortSignal.timeout(60_000))
    const funded = await fund(AbortSignal.timeout(60_000))
    process.send?.({ marked: marked.done, funded: funded.done, seconds: (performance.now() - begun) / 1000 })
  })()
})
process.send?.({ ready: true })
