import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { changeWithin } from './change-within.ts'
import { openDeployment, type Replicas } from './deployment.ts'
import type { Job, Objects, Template } from './objects.ts'
import { verdictOf } from './plan.ts'
import type { Pod } from './pod.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'

export interface RunOptions extends StageOptions {
  /** Address of this machine that leads to a Service, as an ingress does. */
  readonly expose: { readonly service: string; readonly port: number }
}

/** A pod that held more memory than its limit, which a cluster would have killed. */
export interface OverLimit {
  readonly pod: string
  readonly peakBytes: number
  readonly limitBytes: number
}

/** A running overlay. */
export interface Cluster {
  readonly deployments: ReadonlyMap<string, Replicas>
  /** Address of a host name of the overlay, such as `postgres-rw`. */
  addressOf(name: string): string
  /** Replaces the entries of a ConfigMap: in mounted files at once, in variables when a container starts. */
  setConfigMap(name: string, entries: Readonly<Record<string, string>>): void
  /** Runs Jobs, such as those of another release; throws if one fails. */
  runJobs(jobs: Objects['jobs']): Promise<void>
  /** Runs a suspended CronJob once, as `kubectl create job --from` does. */
  runCronJob(name: string): Promise<'complete' | 'failed'>
  /** Times that containers were started again, by pod. */
  restarts(): Readonly<Record<string, number>>
  overLimit(): readonly OverLimit[]
  stop(): Promise<void>
}

const JOB_BACKOFF_FIRST_MS = 10_000
const SET_READY_MS = 900_000
const LOOK_MS = 1_000
const TIMER_MAX_MS = 2 ** 31 - 1

const bytesOf = (quantity: string): number => {
  const [, number = '0', unit = ''] = /^(\d+)(Ki|Mi|Gi)?$/.exec(quantity) ?? []
  return Number(number) * ({ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }[unit] ?? 1)
}

type Note = (line: string) => void

async function runJob(stage: Stage, note: Note, name: string, job: Job): Promise<'complete' | 'failed'> {
  const deadline = Date.now() + (job.activeDeadlineSeconds ?? Infinity) * 1000
  for (let failures = 0; ; failures += 1) {
    const pod = stage.start(name, job.template)
    const late = setTimeout(() => void pod.stop(), Math.min(TIMER_MAX_MS, deadline - Date.now()))
    const code = await pod.over.finally(() => clearTimeout(late))
    const verdict = Date.now() > deadline ? 'failed' : verdictOf(job, code, failures)
    note(`job ${name}: ended with ${code}, ${verdict}`)
    if (verdict !== 'again') return verdict
    await delay(JOB_BACKOFF_FIRST_MS * 2 ** failures)
  }
}

async function untilReady(stage: Stage, note: Note, pod: Pod): Promise<void> {
  const end = Date.now() + SET_READY_MS
  const failed = pod.over.then(() => Promise.reject(new Error(`${pod.name} ended before it was ready`)))
  failed.catch(() => {})
  while (pod.readySince() === null) {
    if (Date.now() > end) throw new Error(`${pod.name} was not ready within ${SET_READY_MS / 1000} s`)
    await changeWithin(LOOK_MS, stage.changed(), failed)
  }
  note(`${pod.name} is ready`)
}

async function startSets(stage: Stage, note: Note, sets: Objects['statefulSets']): Promise<void> {
  const waiting: Promise<void>[] = []
  for (const [set, { replicas, template, volumeClaimTemplates, podManagementPolicy }] of Object.entries(sets))
    for (let n = 0; n < replicas; n += 1) {
      const name = `${set}-${n}`
      const claims = volumeClaimTemplates.map(({ metadata }) => metadata.name)
      const pod = stage.start(set, template, { name, address: stage.addresses.pods[name] ?? '', claims })
      const ready = untilReady(stage, note, pod)
      if (podManagementPolicy === 'OrderedReady') await ready
      waiting.push(ready)
    }
  await Promise.all(waiting)
}

async function openAddresses(stage: Stage, { objects, expose }: RunOptions): Promise<void> {
  for (const [service, host] of Object.entries(stage.addresses.services))
    for (const { port, targetPort } of objects.services[service]?.ports ?? [])
      await stage.listen(service, targetPort, { host, port })
  const exposed = objects.services[expose.service]?.ports[0]
  if (exposed !== undefined)
    await stage.listen(expose.service, exposed.targetPort, { host: '127.0.0.1', port: expose.port })
}

const isOurs = ({ spec }: Template) => spec.containers[0]?.image.startsWith('platform/') === true

function overLimit(pods: readonly Pod[]): OverLimit[] {
  return pods.flatMap((pod) => {
    const limit = pod.spec.containers[0]?.resources.limits.memory
    const [peakBytes, limitBytes] = [pod.memoryPeak(), limit === undefined ? Infinity : bytesOf(limit)]
    return peakBytes > limitBytes ? [{ pod: pod.name, peakBytes, limitBytes }] : []
  })
}

/** Starts a rendered overlay: servers, then Jobs, then Deployments, each when the ones before are ready. */
export async function runOverlay(options: RunOptions): Promise<Cluster> {
  const { objects, folder, note, expose } = options
  const stage = await openStage(options)
  const deployments = new Map(
    Object.entries(objects.deployments).map(([name, deployment]) => [
      name,
      openDeployment(name, deployment, ({ template }) => stage.start(name, template), stage.changed),
    ]),
  )
  const [ours = [], servers = []] = [true, false].map((own) =>
    Object.keys(objects.deployments).filter((name) => {
      const deployment = objects.deployments[name]
      return deployment !== undefined && isOurs(deployment.template) === own
    }),
  )
  const each = (names: readonly string[], work: (replicas: Replicas, name: string) => Promise<void>) =>
    Promise.all([...deployments].filter(([name]) => names.includes(name)).map(([name, one]) => work(one, name)))
  const start = (names: readonly string[]) =>
    each(names, async (replicas, name) => {
      await replicas.start()
      note(`${name} is available`)
    })
  const stop = async () => {
    // The edge first, as for any stop of the platform; then whatever works, and the servers last.
    await each([expose.service], (one) => one.stop())
    await each(ours, (one) => one.stop())
    await each(servers, (one) => one.stop())
    await stage.close()
  }
  const runJobs = async (jobs: Objects['jobs']) => {
    const verdicts = Object.entries(jobs).map(async ([name, job]) =>
      (await runJob(stage, note, name, job)) === 'failed' ? [name] : [],
    )
    const failed = (await Promise.all(verdicts)).flat()
    if (failed.length > 0) throw new Error(`Jobs failed: ${failed.join(', ')}; see ${join(folder, 'logs')}`)
  }
  try {
    await openAddresses(stage, options)
    await Promise.all([startSets(stage, note, objects.statefulSets), start(servers)])
    await runJobs(objects.jobs)
    await start(ours)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    deployments,
    addressOf: (name) => {
      const address = stage.addresses.names[name]
      if (address === undefined) throw new Error(`the overlay has no host ${name}`)
      return address
    },
    setConfigMap: stage.setConfigMap,
    runJobs,
    runCronJob: async (name) => {
      const job = objects.cronJobs[name]
      if (job === undefined)
        throw new Error(`There is no CronJob ${name}: choose one of ${Object.keys(objects.cronJobs).join(', ')}.`)
      return runJob(stage, note, name, job)
    },
    restarts: () =>
      Object.fromEntries(stage.pods.filter((pod) => pod.restarts() > 0).map((pod) => [pod.name, pod.restarts()])),
    overLimit: () => overLimit(stage.pods),
    stop,
  }
}
