import { changeWithin } from './change-within.ts'
import type { Deployment } from './objects.ts'
import { nextMoves, type Counts } from './plan.ts'
import type { Pod } from './pod.ts'

/** The pods of a Deployment. */
export interface Replicas {
  pods(): readonly Pod[]
  /** Starts as many pods as it wants; resolves when all are available. */
  start(): Promise<void>
  /** Resolves when all pods are available, for example after one was killed. */
  settled(): Promise<void>
  /** Replaces every pod as its strategy says; resolves when the last old one is gone. `next`: the new Deployment. */
  rollOut(next?: Deployment): Promise<void>
  stop(): Promise<void>
}

const LOOK_MS = 250

/** Runs a Deployment; `create` starts one pod of a template. */
export function openDeployment(
  name: string,
  wanted: Deployment,
  create: (deployment: Deployment) => Pod,
  changed: () => Promise<void>,
): Replicas {
  let current = wanted
  let pods: Pod[] = []
  const isAvailable = (pod: Pod) => {
    const since = pod.readySince()
    return since !== null && Date.now() - since >= current.minReadySeconds * 1000
  }
  const progress = async (done: () => boolean | Promise<boolean>) => {
    const deadline = Date.now() + current.progressDeadlineSeconds * 1000
    while (!(await done())) {
      if (Date.now() > deadline)
        throw new Error(
          `${name} made no progress in ${current.progressDeadlineSeconds} s: ${pods.map(({ name: pod }) => pod).join(', ')}`,
        )
      await changeWithin(LOOK_MS, changed())
    }
  }
  const add = () => pods.push(create(current))
  const remove = (pod: Pod) => {
    pods = pods.filter((one) => one !== pod)
    return pod.stop()
  }
  const start = async () => {
    while (pods.length < current.replicas) add()
    await progress(() => pods.every(isAvailable))
  }

  const roll = async () => {
    const old = new Set(pods)
    const stopping: Promise<void>[] = []
    const counts = (): Counts => {
      const fresh = pods.filter((pod) => !old.has(pod))
      const rest = pods.filter((pod) => old.has(pod))
      return {
        old: rest.length,
        oldAvailable: rest.filter(isAvailable).length,
        fresh: fresh.length,
        freshAvailable: fresh.filter(isAvailable).length,
      }
    }
    const strategy = current.strategy.rollingUpdate ?? { maxSurge: 1, maxUnavailable: 0 }
    await progress(() => {
      const moves = nextMoves(current.replicas, strategy, counts())
      for (let n = 0; n < moves.start; n += 1) add()
      // Pods that are not available go first.
      const leaving = pods
        .filter((pod) => old.has(pod))
        .sort((one, other) => Number(isAvailable(one)) - Number(isAvailable(other)))
      for (const pod of leaving.slice(0, moves.stop)) stopping.push(remove(pod))
      const { old: left, freshAvailable } = counts()
      return left === 0 && freshAvailable === current.replicas
    })
    await Promise.all(stopping)
  }
  const stop = async () => {
    const all = pods
    pods = []
    await Promise.all(all.map((pod) => pod.stop()))
  }
  return {
    pods: () => pods,
    start,
    settled: () => progress(() => pods.every(isAvailable)),
    rollOut: async (next = current) => {
      current = next
      if (current.strategy.type === 'RollingUpdate') return roll()
      await stop()
      await start()
    },
    stop,
  }
}
