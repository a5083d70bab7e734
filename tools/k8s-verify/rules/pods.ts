import {
  isServing,
  placeOf,
  workloadsOf,
  type Container,
  type Finding,
  type Manifest,
  type Workload,
} from '../manifest.ts'

type Say = (rule: string, problem: string) => Finding

/** Pod security "restricted", and what goes beyond it: no writable root, no token of the API server, no services in the environment. */
export function insecurePods(objects: readonly Manifest[]): Finding[] {
  return workloadsOf(objects).flatMap((workload) => {
    const { spec, object } = workload
    const say: Say = (rule, problem) => ({ rule, where: placeOf(object), problem })
    const pod: [boolean, string][] = [
      [spec.securityContext.runAsNonRoot === true, 'set securityContext.runAsNonRoot of the pod'],
      [(spec.securityContext.runAsUser ?? 0) > 0, 'set securityContext.runAsUser to a user other than root'],
      [spec.securityContext.seccompProfile?.type === 'RuntimeDefault', 'set seccompProfile to RuntimeDefault'],
      [spec.automountServiceAccountToken === false, 'set automountServiceAccountToken to false'],
      [![spec.hostNetwork, spec.hostPID, spec.hostIPC].includes(true), 'use no namespace of the node'],
      [spec.volumes.every(({ hostPath }) => hostPath === undefined), 'mount no path of the node'],
    ]
    return [
      ...pod.filter(([holds]) => !holds).map(([, fix]) => say('pod-security', fix)),
      ...[...spec.containers, ...spec.initContainers].flatMap((container) => insecureContainer(container, say)),
    ]
  })
}

function insecureContainer({ name, securityContext }: Container, say: Say): Finding[] {
  const { capabilities } = securityContext
  const rules: [boolean, string][] = [
    [securityContext.allowPrivilegeEscalation === false, 'set allowPrivilegeEscalation to false'],
    [securityContext.privileged !== true, 'is privileged'],
    [securityContext.readOnlyRootFilesystem === true, 'set readOnlyRootFilesystem'],
    [capabilities?.drop.includes('ALL') === true, 'drop ALL capabilities'],
    [(capabilities?.add.length ?? 0) === 0, 'adds capabilities'],
  ]
  return rules.filter(([holds]) => !holds).map(([, fix]) => say('pod-security', `container ${name}: ${fix}`))
}

/** Bounds of memory, requests, probes and time to stop of everything that serves. */
export function unboundedPods(objects: readonly Manifest[]): Finding[] {
  return workloadsOf(objects).flatMap((workload) => {
    const say: Say = (rule, problem) => ({ rule, where: placeOf(workload.object), problem })
    const each = workload.spec.containers.flatMap((container) => unbounded(container, isServing(workload), say))
    return [...each, ...endings(workload, say)]
  })
}

function unbounded({ name, resources, ...container }: Container, serves: boolean, say: Say): Finding[] {
  const missing = (['startupProbe', 'livenessProbe', 'readinessProbe'] as const).filter(
    (probe) => serves && container[probe] === undefined,
  )
  return [
    ...missing.map((probe) => say('probes', `container ${name}: add a ${probe}`)),
    ...(resources.limits['memory'] === undefined ? [say('limits', `container ${name}: limit the memory`)] : []),
    ...(resources.requests['cpu'] === undefined || resources.requests['memory'] === undefined
      ? [say('limits', `container ${name}: request cpu and memory`)]
      : []),
  ]
}

/** Time that a process may take to stop: `SVC_STOP_DELAY_MS` of the gateway and the default of `SVC_STOP_MAX_MS`. */
const STOP_SEC = 35

function endings({ object, spec }: Workload, say: Say): Finding[] {
  const isJob = object.kind === 'Job' || object.kind === 'CronJob'
  if (isJob)
    return spec.restartPolicy === 'Never' ? [] : [say('endings', 'set restartPolicy to Never: exit codes decide')]
  const ours = spec.containers.some(({ image }) => image.includes('platform/'))
  return ours && (spec.terminationGracePeriodSeconds ?? 30) <= STOP_SEC
    ? [say('endings', `give more than ${STOP_SEC} s to stop (terminationGracePeriodSeconds)`)]
    : []
}

/** Everything that serves has a budget that an eviction keeps to. */
export function withoutBudget(objects: readonly Manifest[]): Finding[] {
  const budgets = objects
    .filter(({ kind }) => kind === 'PodDisruptionBudget')
    .map(
      (object) =>
        (object['spec'] as { selector?: { matchLabels?: Record<string, string> } }).selector?.matchLabels ?? {},
    )
  return workloadsOf(objects)
    .filter(isServing)
    .filter(
      ({ labels }) =>
        !budgets.some((selector) => Object.entries(selector).every(([key, value]) => labels[key] === value)),
    )
    .map(({ object }) => ({
      rule: 'budgets',
      where: placeOf(object),
      problem: 'add a PodDisruptionBudget that selects it',
    }))
}

/** Images by digest: a tag can be moved to other contents after a review. */
export function imagesByTag(objects: readonly Manifest[]): Finding[] {
  return workloadsOf(objects).flatMap(({ object, spec }) =>
    [...spec.containers, ...spec.initContainers]
      .filter(({ image }) => !/@sha256:[0-9a-f]{64}$/.test(image))
      .map(({ name, image }) => ({
        rule: 'digests',
        where: placeOf(object),
        problem: `container ${name}: name ${image} by its digest`,
      })),
  )
}

const SECRET_NAME = /(SEED|KEY|PASSWORD|SECRET|TOKEN)$/

/** No secret stands in a variable or in an object of a reviewed file. */
export function writtenSecrets(objects: readonly Manifest[]): Finding[] {
  const literals = workloadsOf(objects).flatMap(({ object, spec }) =>
    spec.containers.flatMap(({ env }) =>
      env
        .filter(({ name, value }) => value !== undefined && SECRET_NAME.test(name))
        .map(({ name }) => ({ rule: 'written-secrets', where: placeOf(object), problem: `mount ${name} as a file` })),
    ),
  )
  const stored = objects
    .filter(({ kind }) => kind === 'Secret')
    .map((object) => ({
      rule: 'written-secrets',
      where: placeOf(object),
      problem: 'keep its values in a store of secrets',
    }))
  return [...literals, ...stored]
}

/** JetStream waits for most of the nodes that its configuration names: there must be as many, each with room for all. */
export function wrongNodes(objects: readonly Manifest[]): Finding[] {
  const set = objects.find((object) => placeOf(object) === 'StatefulSet/nats')
  if (set === undefined) return []
  const files = objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('nats-config'))
  const routes = files.flatMap((object) => [...JSON.stringify(object['data']).matchAll(/nats:\/\/[^"\\]+:6222/g)])
  const nodes = Number(Reflect.get(set['spec'] as object, 'replicas') ?? 1)
  const named = Math.max(1, routes.length)
  const stored = files.map((object) => Number(/max_file_store: (\d+)/.exec(JSON.stringify(object['data']))?.[1] ?? 0))
  const volume = Number(/"storage":"(\d+)Gi"/.exec(JSON.stringify(set['spec']))?.[1] ?? 0) * 2 ** 30
  const say = (problem: string): Finding => ({ rule: 'nodes', where: placeOf(set), problem })
  return [
    ...(nodes === named ? [] : [say(`${nodes} replicas, and the configuration names ${named} nodes`)]),
    ...(volume > Math.max(...stored) ? [] : [say('its volume is smaller than the streams may become')]),
  ]
}
