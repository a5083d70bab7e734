import { z } from 'zod'
import type { Manifest } from '#k8s-verify/manifest.ts'

/** Accepts any value of a field that has no effect on processes of one machine, and says why. */
const ignored = (reason: string) => z.unknown().optional().describe(reason)

const text = z.record(z.string(), z.string())
const name = z.strictObject({ name: z.string(), optional: z.boolean().default(false) })
const key = z.strictObject({ name: z.string(), key: z.string(), optional: z.boolean().default(false) })
const port = z.union([z.string(), z.number()])
const metadata = z.strictObject({
  name: z.string().default(''),
  namespace: z.string().optional(),
  labels: text.default({}),
  annotations: ignored('tools read annotations, containers do not'),
})
const matchLabels = z.strictObject({ matchLabels: text })

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port }).optional(),
  tcpSocket: z.strictObject({ port }).optional(),
  exec: z.strictObject({ command: z.array(z.string()) }).optional(),
  initialDelaySeconds: z.number().default(0),
  periodSeconds: z.number().default(10),
  timeoutSeconds: z.number().default(1),
  failureThreshold: z.number().default(3),
})
/** A startup, readiness or liveness probe with the defaults of Kubernetes. */
export type Probe = z.output<typeof probe>

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  env: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .strictObject({
            configMapKeyRef: key.optional(),
            secretKeyRef: key.optional(),
            fieldRef: z
              .strictObject({ fieldPath: z.enum(['metadata.name', 'metadata.namespace', 'status.podIP']) })
              .optional(),
          })
          .optional(),
      }),
    )
    .default([]),
  envFrom: z.array(z.strictObject({ secretRef: name.optional(), configMapRef: name.optional() })).default([]),
  ports: z.array(z.strictObject({ name: z.string().optional(), containerPort: z.number() })).default([]),
  volumeMounts: z
    .array(
      z.strictObject({
        name: z.string(),
        mountPath: z.string(),
        readOnly: z.boolean().default(false),
      }),
    )
    .default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  lifecycle: z
    .strictObject({
      preStop: z.strictObject({
        sleep: z.strictObject({ seconds: z.number() }).optional(),
        exec: z.strictObject({ command: z.array(z.string()) }).optional(),
      }),
    })
    .optional(),
  resources: z
    .strictObject({
      limits: z.strictObject({ memory: z.string().optional() }).default({}),
      requests: ignored('nothing is scheduled onto nodes'),
    })
    .default({ limits: {} }),
  securityContext: z
    .strictObject({
      readOnlyRootFilesystem: z.boolean().default(false),
      allowPrivilegeEscalation: z.boolean().default(true),
      capabilities: z.strictObject({ drop: z.array(z.string()) }).default({ drop: [] }),
      runAsNonRoot: ignored('the pod names the user'),
    })
    .prefault({}),
})

const volume = z.strictObject({
  name: z.string(),
  secret: z
    .strictObject({
      secretName: z.string(),
      optional: z.boolean().default(false),
      items: z.array(z.strictObject({ key: z.string(), path: z.string() })).optional(),
      defaultMode: ignored('only the user of the pod reads its files'),
    })
    .optional(),
  configMap: name.optional(),
  emptyDir: ignored('a folder on disk; its medium and size are limits of a node').nullable(),
})
const podSpec = z.strictObject({
  containers: z.array(container).length(1),
  volumes: z.array(volume).default([]),
  restartPolicy: z.enum(['Always', 'Never']).default('Always'),
  terminationGracePeriodSeconds: z.number().default(30),
  enableServiceLinks: z.literal(false),
  automountServiceAccountToken: z.literal(false),
  serviceAccountName: ignored('no API server is there to know it'),
  securityContext: z
    .strictObject({
      runAsUser: z.number().optional(),
      runAsGroup: z.number().optional(),
      fsGroup: ignored('volumes are of the one user of the pod'),
      runAsNonRoot: ignored('runAsUser names the user'),
      seccompProfile: ignored('an engine applies its default'),
    })
    .prefault({}),
  topologySpreadConstraints: ignored('one machine is one node'),
})
export type PodSpec = z.output<typeof podSpec>
const template = z.strictObject({ metadata, spec: podSpec })
export type Template = z.output<typeof template>

const replicas = z.number().default(1)
const deployment = z.strictObject({
  replicas,
  selector: matchLabels,
  strategy: z
    .strictObject({
      type: z.enum(['RollingUpdate', 'Recreate']),
      rollingUpdate: z.strictObject({ maxSurge: z.number(), maxUnavailable: z.number() }).optional(),
    })
    .default({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }),
  minReadySeconds: z.number().default(0),
  progressDeadlineSeconds: z.number().default(600),
  revisionHistoryLimit: ignored('old revisions are not kept'),
  template,
})
export type Deployment = z.output<typeof deployment>

const statefulSet = z.strictObject({
  replicas,
  selector: matchLabels,
  serviceName: z.string(),
  podManagementPolicy: z.enum(['OrderedReady', 'Parallel']).default('OrderedReady'),
  template,
  volumeClaimTemplates: z
    .array(z.strictObject({ metadata, spec: ignored('a folder on disk; its size is a limit of a node') }))
    .default([]),
})
export type StatefulSet = z.output<typeof statefulSet>

const job = z.strictObject({
  backoffLimit: z.number().default(6),
  activeDeadlineSeconds: z.number().optional(),
  podFailurePolicy: z
    .strictObject({
      rules: z.array(
        z.strictObject({
          action: z.enum(['Ignore', 'FailJob', 'Count']),
          onExitCodes: z
            .strictObject({
              containerName: z.string().optional(),
              operator: z.enum(['In', 'NotIn']),
              values: z.array(z.number()),
            })
            .optional(),
          onPodConditions: ignored('no node is drained here'),
        }),
      ),
    })
    .optional(),
  ttlSecondsAfterFinished: ignored('ended Jobs take no room'),
  template,
})
export type Job = z.output<typeof job>

const cronJob = z.strictObject({
  suspend: z.literal(true),
  schedule: ignored('suspended: a run is started by hand'),
  timeZone: ignored('suspended: a run is started by hand'),
  startingDeadlineSeconds: ignored('suspended: a run is started by hand'),
  concurrencyPolicy: ignored('suspended: a run is started by hand'),
  successfulJobsHistoryLimit: ignored('ended Jobs take no room'),
  failedJobsHistoryLimit: ignored('ended Jobs take no room'),
  jobTemplate: z.strictObject({ metadata: metadata.optional(), spec: job }),
})

const service = z.strictObject({
  selector: text,
  clusterIP: z.literal('None').optional(),
  publishNotReadyAddresses: z.boolean().default(false),
  ports: z.array(z.strictObject({ name: z.string(), port: z.number(), targetPort: port })),
})
export type Service = z.output<typeof service>

/** A certificate that cert-manager signs and stores in a Secret. */
const certificate = z.strictObject({
  secretName: z.string(),
  commonName: z.string().optional(),
  isCA: z.boolean().default(false),
  secretTemplate: ignored('an operator reads its labels'),
  dnsNames: z.array(z.string()).default([]),
  usages: ignored('every certificate here may be of a server and of a client'),
  issuerRef: ignored('one authority signs all of them here'),
  privateKey: ignored('keys are new at each start'),
  duration: ignored('a start is over before they expire'),
  renewBefore: ignored('a start is over before they expire'),
})
export type Certificate = z.output<typeof certificate>

/** Kinds without an effect on processes of one machine, with the reason. */
export const IGNORED_KINDS: Readonly<Record<string, string>> = {
  Issuer: 'one authority signs all certificates here',
  Namespace: 'all processes are of one platform',
  ServiceAccount: 'no API server is there to know it',
  NetworkPolicy: 'processes share the loopback interface; k8s-verify compares the edges with the contracts',
  PodDisruptionBudget: 'no node is drained here',
  ResourceQuota: 'nothing is scheduled onto nodes',
  LimitRange: 'every container has bounds of its own; k8s-verify requires them',
}

/** What a rendered overlay runs, by name. */
export interface Objects {
  readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly services: Readonly<Record<string, Service>>
  readonly deployments: Readonly<Record<string, Deployment>>
  readonly statefulSets: Readonly<Record<string, StatefulSet>>
  readonly jobs: Readonly<Record<string, Job>>
  readonly cronJobs: Readonly<Record<string, Job>>
  readonly certificates: Readonly<Record<string, Certificate>>
}

const specified = <S extends z.ZodType>(spec: S) =>
  z.strictObject({ apiVersion: z.string(), kind: z.string(), metadata, spec })
const shapes = {
  ConfigMap: z.strictObject({ apiVersion: z.string(), kind: z.string(), metadata, data: text.default({}) }),
  Service: specified(service),
  Deployment: specified(deployment),
  StatefulSet: specified(statefulSet),
  Job: specified(job),
  CronJob: specified(cronJob),
  Certificate: specified(certificate),
}

/** Reads the objects of one kind; throws with the field that is not interpreted. */
function read<S extends z.ZodType>(objects: readonly Manifest[], kind: string, shape: S): [string, z.output<S>][] {
  return objects
    .filter((object) => object.kind === kind)
    .map((object) => {
      const { success, data, error } = shape.safeParse(object)
      if (success) return [object.metadata.name, data]
      const [issue] = error.issues
      const field = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys : [])].join('.')
      throw new Error(
        `${kind}/${object.metadata.name}: ${field} is not interpreted (${issue?.message}): teach tools/manifest-runner/objects.ts the field, or list it there with a reason.`,
      )
    })
}

/** Reads a rendered overlay. Throws if it has a kind or a field that the runner neither interprets nor lists with a reason. */
export function readObjects(objects: readonly Manifest[]): Objects {
  const unknown = objects.find(({ kind }) => !Object.hasOwn(shapes, kind) && !Object.hasOwn(IGNORED_KINDS, kind))
  if (unknown !== undefined)
    throw new Error(
      `${unknown.kind}/${unknown.metadata.name}: this kind is not interpreted: run an overlay without operators.`,
    )
  const of = <S extends z.ZodType<{ spec: unknown }>>(kind: string, shape: S) =>
    Object.fromEntries(read(objects, kind, shape).map(([name, { spec }]) => [name, spec])) as Record<
      string,
      z.output<S>['spec']
    >
  return {
    configMaps: Object.fromEntries(
      read(objects, 'ConfigMap', shapes.ConfigMap).map(([name, { data }]) => [name, data]),
    ),
    services: of('Service', shapes.Service),
    deployments: of('Deployment', shapes.Deployment),
    statefulSets: of('StatefulSet', shapes.StatefulSet),
    jobs: of('Job', shapes.Job),
    certificates: of('Certificate', shapes.Certificate),
    cronJobs: Object.fromEntries(
      Object.entries(of('CronJob', shapes.CronJob)).map(([name, { jobTemplate }]) => [name, jobTemplate.spec]),
    ),
  }
}
