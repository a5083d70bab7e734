import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { signCertificates } from './certificates.ts'
import { openBalancer, type Balancer, type Endpoint } from './endpoints.ts'
import type { Images } from './images.ts'
import type { Objects, Template } from './objects.ts'
import { leadsTo, planAddresses, portOf, type Addresses, type Secrets } from './plan.ts'
import { startPod, type Ground, type Pod } from './pod.ts'

export interface StageOptions {
  readonly objects: Objects
  readonly secrets: Secrets
  readonly images: Images
  /** Folder of logs, volumes and files of pods. */
  readonly folder: string
  /** Network of the loopback interface that nobody else uses, such as `127.20.3`. */
  readonly network: string
  readonly note: (line: string) => void
  /** Secrets of Certificates that have ended; default: none. */
  readonly expired?: readonly string[]
}

/** Name, address and volumes of a pod of a StatefulSet. */
interface Fixed {
  readonly name: string
  readonly address: string
  readonly claims: readonly string[]
}

/** Where pods start and find each other. */
export interface Stage {
  readonly addresses: Addresses
  readonly pods: readonly Pod[]
  /** Resolves at the next change of any pod. */
  changed(): Promise<void>
  start(owner: string, template: Template, fixed?: Fixed): Pod
  /** Opens an address that leads to the ready pods of a Service. */
  listen(service: string, port: string | number, at: Endpoint): Promise<void>
  /** Replaces the entries of a ConfigMap: in mounted files at once, in variables when a container starts. */
  setConfigMap(name: string, entries: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

/** How long a node takes to hear that an endpoint came or went. */
const ENDPOINTS_DELAY_MS = 1_000

interface Listener {
  readonly service: string
  readonly port: string | number
  readonly balancer: Balancer
  last: string
}

/** Prepares the folders and addresses of a platform. */
export async function openStage({
  objects,
  secrets: given,
  images,
  folder,
  network,
  note,
  expired,
}: StageOptions): Promise<Stage> {
  rmSync(join(folder, 'pods'), { recursive: true, force: true })
  for (const name of ['logs', 'volumes', 'pods']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  const addresses = planAddresses(objects, network)
  const secrets = { ...given, ...(await signCertificates(objects, addresses.names, expired)) }
  const free = [...addresses.free]
  const configMaps: Record<string, Readonly<Record<string, string>>> = { ...objects.configMaps }
  const pods: Pod[] = []
  const listeners: Listener[] = []
  let wake: () => void = () => {}
  const renew = () => new Promise<void>((resolve) => (wake = resolve))
  let nextChange = renew()

  const updateEndpoints = () => {
    for (const one of listeners) {
      const service = objects.services[one.service]
      const ready = pods.filter(
        (pod) => pod.readySince() !== null && service !== undefined && leadsTo(service, pod.labels),
      )
      const endpoints = ready.map((pod): Endpoint => ({ host: pod.address, port: portOf(pod.spec, one.port) }))
      const text = JSON.stringify(endpoints)
      if (text !== one.last) one.balancer.set(endpoints)
      one.last = text
    }
  }
  const ground: Ground = {
    given: () => ({ configMaps, secrets, names: addresses.names }),
    images,
    logFile: (pod) => join(folder, 'logs', `${pod}.log`),
    note,
    onChange: () => {
      updateEndpoints()
      wake()
      nextChange = renew()
    },
  }
  return {
    addresses,
    pods,
    changed: () => nextChange,
    start: (owner, template, fixed) => {
      const name = fixed?.name ?? `${owner}-${(pods.length + 1).toString(36).padStart(4, '0')}`
      const address = fixed?.address ?? free.shift()
      if (address === undefined) throw new Error('no address is left for another pod')
      const claims = Object.fromEntries(
        (fixed?.claims ?? []).map((claim) => [claim, join(folder, 'volumes', `${claim}-${name}`)]),
      )
      const place = { name, namespace: 'platform', address, folder: join(folder, 'pods', name), claims }
      const pod = startPod(template, place, ground)
      if (fixed === undefined) void pod.over.finally(() => free.push(address)).catch(() => {})
      pods.push(pod)
      return pod
    },
    listen: async (service, port, at) => {
      listeners.push({ service, port, balancer: await openBalancer(at, ENDPOINTS_DELAY_MS), last: '' })
    },
    setConfigMap: (name, entries) => {
      configMaps[name] = entries
      for (const pod of pods) pod.refresh()
    },
    close: async () => {
      await Promise.all(pods.map((pod) => pod.stop()))
      await Promise.all(listeners.map(({ balancer }) => balancer.close()))
    },
  }
}
