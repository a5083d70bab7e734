import { z } from 'zod'

const named = z.looseObject({ name: z.string() })
const source = z.looseObject({ name: z.string(), key: z.string(), optional: z.boolean().optional() })
const probe = z.looseObject({}).optional()

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  env: z
    .array(
      z.looseObject({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z.looseObject({ configMapKeyRef: source.optional(), secretKeyRef: source.optional() }).optional(),
      }),
    )
    .default([]),
  envFrom: z.array(z.looseObject({ secretRef: named.optional(), configMapRef: named.optional() })).default([]),
  ports: z.array(z.looseObject({ name: z.string().optional(), containerPort: z.number() })).default([]),
  resources: z
    .looseObject({
      requests: z.record(z.string(), z.string()).default({}),
      limits: z.record(z.string(), z.string()).default({}),
    })
    .default({ requests: {}, limits: {} }),
  securityContext: z
    .looseObject({
      allowPrivilegeEscalation: z.boolean().optional(),
      privileged: z.boolean().optional(),
      readOnlyRootFilesystem: z.boolean().optional(),
      runAsNonRoot: z.boolean().optional(),
      capabilities: z
        .looseObject({ drop: z.array(z.string()).default([]), add: z.array(z.string()).default([]) })
        .optional(),
    })
    .default({}),
  volumeMounts: z
    .array(z.looseObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }))
    .default([]),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
})
export type Container = z.output<typeof container>

const podSpec = z.looseObject({
  containers: z.array(container).min(1),
  initContainers: z.array(container).default([]),
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  hostNetwork: z.boolean().optional(),
  hostPID: z.boolean().optional(),
  hostIPC: z.boolean().optional(),
  restartPolicy: z.string().optional(),
  terminationGracePeriodSeconds: z.number().optional(),
  securityContext: z
    .looseObject({
      runAsNonRoot: z.boolean().optional(),
      runAsUser: z.number().optional(),
      seccompProfile: z.looseObject({ type: z.string() }).optional(),
    })
    .default({}),
  volumes: z
    .array(
      z.looseObject({
        name: z.string(),
        secret: z.looseObject({ secretName: z.string(), optional: z.boolean().optional() }).optional(),
        configMap: z.looseObject({ name: z.string(), optional: z.boolean().optional() }).optional(),
        hostPath: z.unknown().optional(),
      }),
    )
    .default([]),
})
const labels = z.record(z.string(), z.string())
const podTemplate = z.looseObject({ metadata: z.looseObject({ labels: labels.default({}) }), spec: podSpec })

/** An object of a rendered overlay. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string | undefined
    readonly labels?: Record<string, string> | undefined
  }
  readonly [key: string]: unknown
}

export const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional(), labels: labels.optional() }),
})

/** What a rule finds wrong: where, and what to change. */
export interface Finding {
  readonly rule: string
  readonly where: string
  readonly problem: string
}

export const placeOf = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`

/** A pod that a workload makes. */
export interface Workload {
  readonly object: Manifest
  readonly labels: Readonly<Record<string, string>>
  readonly spec: z.output<typeof podSpec>
}

const SERVING = ['Deployment', 'StatefulSet', 'DaemonSet']
export const isServing = ({ object }: Workload): boolean => SERVING.includes(object.kind)

/** Returns the pods of all workloads. */
export function workloadsOf(objects: readonly Manifest[]): Workload[] {
  return objects.flatMap((object) => {
    const template = templateOf(object)
    if (template === undefined) return []
    const { metadata, spec } = podTemplate.parse(template)
    return [{ object, labels: metadata.labels, spec }]
  })
}

const withTemplate = z.looseObject({ template: z.unknown() })
function templateOf(object: Manifest): unknown {
  if ([...SERVING, 'Job'].includes(object.kind)) return withTemplate.parse(object['spec']).template
  if (object.kind !== 'CronJob') return undefined
  const { jobTemplate } = z.looseObject({ jobTemplate: z.looseObject({ spec: withTemplate }) }).parse(object['spec'])
  return jobTemplate.spec.template
}

/** Returns whether labels match a selector of equalities; an empty selector matches all. */
export const matches = (selector: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([name, value]) => given[name] === value)
