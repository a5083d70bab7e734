import { z } from 'zod'
import { matches, workloadsOf, type Finding, type Manifest } from '../manifest.ts'

const labels = z.record(z.string(), z.string())
/** What the policies here select by: labels that a pod has with this value, or at all. */
const selector = z.strictObject({
  matchLabels: labels.default({}),
  matchExpressions: z.array(z.strictObject({ key: z.string(), operator: z.literal('Exists') })).default([]),
})
type Selector = z.output<typeof selector>
const selects = ({ matchLabels, matchExpressions }: Selector, given: Readonly<Record<string, string>>): boolean =>
  matches(matchLabels, given) && matchExpressions.every(({ key }) => Object.hasOwn(given, key))
const peer = z.looseObject({
  podSelector: selector.optional(),
  namespaceSelector: selector.optional(),
  ipBlock: z.looseObject({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
})
const rule = z.looseObject({
  from: z.array(peer).optional(),
  to: z.array(peer).optional(),
  ports: z.array(z.looseObject({ port: z.number() })).optional(),
})
const policy = z.looseObject({
  podSelector: selector,
  policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
  ingress: z.array(rule).default([]),
  egress: z.array(rule).default([]),
})
type Policy = z.output<typeof policy>
type Peer = z.output<typeof peer>

/** One end of a connection: a pod of the platform, a namespace beside it, or everything outside. */
interface End {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly kind: 'pod' | 'namespace' | 'outside'
  readonly ports: readonly number[]
}

const NAMESPACE = 'kubernetes.io/metadata.name'
const beside = (name: string, ...ports: number[]): End => ({
  name: `${name}/`,
  labels: { [NAMESPACE]: name },
  kind: 'namespace',
  ports,
})
const OUTSIDE: End = { name: 'outside', labels: {}, kind: 'outside', ports: [80, 443, 465, 587, 5432, 6443] }
const METADATA_OF_CLOUD = '169.254.0.0/16'

function endsOf(objects: readonly Manifest[]): End[] {
  const pods = new Map<string, End>()
  for (const { object, labels: own, spec } of workloadsOf(objects)) {
    const ports = spec.containers.flatMap((container) => container.ports.map(({ containerPort }) => containerPort))
    pods.set(object.metadata.name, { name: object.metadata.name, labels: own, kind: 'pod', ports })
  }
  for (const { kind, metadata } of objects)
    if (kind === 'Cluster')
      pods.set(metadata.name, {
        name: metadata.name,
        labels: { 'cnpg.io/cluster': metadata.name },
        kind: 'pod',
        ports: [5432, 8000, 9187],
      })
  return [
    ...pods.values(),
    beside('ingress'),
    beside('monitoring', 4317),
    beside('keda'),
    beside('cnpg-system'),
    beside('kube-system', 53),
    OUTSIDE,
  ]
}

function isPeer(one: Peer, end: End): boolean {
  if (one.ipBlock !== undefined) return end.kind === 'outside'
  if (end.kind === 'outside') return false
  if (one.namespaceSelector !== undefined) return end.kind === 'namespace' && selects(one.namespaceSelector, end.labels)
  return end.kind === 'pod' && (one.podSelector === undefined || selects(one.podSelector, end.labels))
}

/** Whether the policies of one end allow a connection; an end that no policy selects allows everything. */
function allows(
  policies: readonly Policy[],
  direction: 'Ingress' | 'Egress',
  self: End,
  other: End,
  port: number,
): boolean {
  if (self.kind !== 'pod') return true
  const own = policies.filter(
    ({ podSelector, policyTypes }) => policyTypes.includes(direction) && selects(podSelector, self.labels),
  )
  if (own.length === 0) return true
  return own.some(({ ingress, egress }) =>
    (direction === 'Ingress' ? ingress : egress).some((one) => {
      const peers = direction === 'Ingress' ? one.from : one.to
      return (
        (peers === undefined || peers.some((given) => isPeer(given, other))) &&
        (one.ports === undefined || one.ports.some((given) => given.port === port))
      )
    }),
  )
}

const policiesOf = (objects: readonly Manifest[]) =>
  objects.filter(({ kind }) => kind === 'NetworkPolicy').map((object) => policy.parse(object['spec']))

/** Returns who may open a connection to whom, as `from → to:port`, sorted; null without network policies. */
export function reachability(objects: readonly Manifest[]): string[] | null {
  const policies = policiesOf(objects)
  if (policies.length === 0) return null
  const ends = endsOf(objects)
  const edges = ends.flatMap((from) =>
    ends.flatMap((to) =>
      from.kind !== 'pod' && to.kind !== 'pod'
        ? []
        : to.ports
            .filter((port) => allows(policies, 'Egress', from, to, port) && allows(policies, 'Ingress', to, from, port))
            .map((port) => `${from.name} → ${to.name}:${port}`),
    ),
  )
  return [...new Set(edges)].sort()
}

/** Compares what may be reached with what must be, and keeps the addresses of the cloud's metadata closed. */
export function unexpectedEdges(objects: readonly Manifest[], expected: ReadonlySet<string>): Finding[] {
  const found = reachability(objects)
  if (found === null) return []
  const say = (where: string, problem: string): Finding => ({ rule: 'network', where, problem })
  const open = policiesOf(objects)
    .flatMap(({ egress }) => egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])))
    .filter(({ except }) => !except.includes(METADATA_OF_CLOUD))
    .map(({ cidr }) => say(`ipBlock ${cidr}`, `except ${METADATA_OF_CLOUD}: a cloud gives credentials there`))
  const deniesAll = policiesOf(objects).some(
    ({ podSelector, policyTypes, ingress, egress }) =>
      Object.keys(podSelector.matchLabels).length +
        podSelector.matchExpressions.length +
        ingress.length +
        egress.length ===
        0 && policyTypes.length === 2,
  )
  return [
    ...(deniesAll ? [] : [say('NetworkPolicy', 'add one that denies all, for pods that no other policy selects')]),
    ...open,
    ...found.filter((edge) => !expected.has(edge)).map((edge) => say(edge, 'is allowed and nobody needs it')),
    ...[...expected].filter((edge) => !found.includes(edge)).map((edge) => say(edge, 'is needed and not allowed')),
  ]
}
