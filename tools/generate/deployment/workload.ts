import { placeOf, type Contract, type JobDeclaration } from '@svc/contract'
import { kebab, settingsOfProcess } from './settings-of-process.ts'

/** Settings that the image or the manifest itself sets. */
const FIXED = new Set([
  'SVC_VERSION',
  'SVC_COMMIT',
  'SVC_HOST',
  'SVC_PORT',
  'SVC_INTERNAL_HOST',
  'SVC_INTERNAL_PORT',
  'SVC_SECRETS_DIR',
  'SVC_SWITCHES_DIR',
  'SVC_STOP_DELAY_MS',
  'SVC_STOP_MAX_MS',
])
/** Time in which endpoints and load balancers notice that a gateway is not ready. */
const GATEWAY_STOP_DELAY_MS = 5_000
/** Longer than delay and bound of a stop (`SVC_STOP_MAX_MS`) together. */
const GRACE_SEC = 45

/** Services that call addresses outside of the cluster, and what they reach there. */
export const REACHES_OUTSIDE: Readonly<Record<string, string>> = {
  identity: 'a chain, for signatures of contract wallets',
  mining: 'pages of evidence',
  subscriptions: 'webhooks',
  'market-data': 'exchanges',
  mandates: 'message services and mail, for alerts of owners',
  'chain-indexer': 'a chain',
  keeper: 'a chain, the custodian of its keys, message services',
  'hl-leg': 'the venue',
  'hl-relay': 'the venue',
  'hl-trade': 'the venue',
}

/** The certificate of the authority that signs those of the servers, where the component `servers-tls` is applied. */
const AUTHORITY = {
  mount: { name: 'authority', mountPath: '/etc/platform/authority', readOnly: true },
  volume: {
    name: 'authority',
    secret: { secretName: 'authority', optional: true, items: [{ key: 'ca.crt', path: 'ca.crt' }], defaultMode: 0o440 },
  },
}

/** Labels of the pods of a service; those below `platform/` say what its pods may reach. */
const labelsOf = (contract: Contract): Record<string, string> => ({
  'app.kubernetes.io/name': contract.name,
  'platform/nats': 'true',
  ...(contract.postgres ? { 'platform/postgres': 'true' } : {}),
  ...(settingsOfProcess(contract).some(({ env }) => env === 'SVC_REDIS_URL') ? { 'platform/redis': 'true' } : {}),
  ...(Object.hasOwn(REACHES_OUTSIDE, contract.name) ? { 'platform/egress': 'true' } : {}),
})

const hasLive = (contract: Contract) => settingsOfProcess(contract).some(({ live }) => live === true)

/** Returns the variables of a process: what its contract declares and nothing else, from the ConfigMap of the platform. */
function environmentOf(contract: Contract): object[] {
  const names = settingsOfProcess(contract)
    .filter(({ env, secret }) => secret !== true && !FIXED.has(env))
    .map(({ env }) => env)
  return [
    { name: 'SVC_SECRETS_DIR', value: '/etc/platform/secrets' },
    ...(hasLive(contract) ? [{ name: 'SVC_SWITCHES_DIR', value: '/etc/platform/switches' }] : []),
    ...(contract.name === 'gateway' ? [{ name: 'SVC_STOP_DELAY_MS', value: String(GATEWAY_STOP_DELAY_MS) }] : []),
    ...[...new Set(names)].map((name) => ({
      name,
      valueFrom: { configMapKeyRef: { name: 'platform', key: name, optional: true } },
    })),
  ]
}

/** Returns what a container and a pod of a service need to run, by role: secrets and switches as files, declared settings. */
function parts(contract: Contract) {
  const { image, main } = placeOf(contract)
  const live = hasLive(contract)
  return {
    container: {
      name: 'app',
      ...(contract.roleOf === null ? {} : { command: ['node', main] }),
      image: `platform/${image}`,
      env: environmentOf(contract),
      volumeMounts: [
        { name: 'secrets', mountPath: '/etc/platform/secrets', readOnly: true },
        ...(live ? [{ name: 'switches', mountPath: '/etc/platform/switches', readOnly: true }] : []),
        AUTHORITY.mount,
      ],
    },
    volumes: [
      { name: 'secrets', secret: { secretName: contract.name, defaultMode: 0o440 } },
      ...(live ? [{ name: 'switches', configMap: { name: 'switches', optional: true } }] : []),
      AUTHORITY.volume,
    ],
  }
}

const probe = (path: string, periodSeconds: number, failureThreshold: number) => ({
  httpGet: { path, port: 'internal' },
  periodSeconds,
  failureThreshold,
  timeoutSeconds: 2,
})

/** Returns the patch that completes the Deployment of a service with all that follows from its contract. */
export function wiringOf(contract: Contract): object {
  const { container, volumes } = parts(contract)
  const labels = labelsOf(contract)
  const matchLabels = { 'app.kubernetes.io/name': contract.name }
  const isGateway = contract.name === 'gateway'
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: contract.name, labels: { 'app.kubernetes.io/name': contract.name } },
    spec: {
      selector: { matchLabels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      minReadySeconds: 5,
      revisionHistoryLimit: 5,
      progressDeadlineSeconds: 300,
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: contract.name,
          terminationGracePeriodSeconds: GRACE_SEC,
          topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
            topologyKey,
            maxSkew: 1,
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels },
            matchLabelKeys: ['pod-template-hash'],
          })),
          containers: [
            {
              ...container,
              ports: [
                { name: 'internal', containerPort: 9464 },
                ...(isGateway ? [{ name: 'http', containerPort: 8080 }] : []),
              ],
              startupProbe: probe('/livez', 2, 60),
              livenessProbe: probe('/livez', 10, 3),
              readinessProbe: probe('/readyz', 5, 2),
            },
          ],
          volumes,
        },
      },
    },
  }
}

/** Returns the objects of a service besides its Deployment. */
export function objectsOf(contract: Contract): object[] {
  const { name } = contract
  const matchLabels = { 'app.kubernetes.io/name': name }
  const isGateway = name === 'gateway'
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name }, automountServiceAccountToken: false },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: {
        selector: matchLabels,
        // Services talk over NATS; without a virtual address there is nothing to call but the port for probes and metrics.
        ...(isGateway ? {} : { clusterIP: 'None' }),
        ports: isGateway
          ? [{ name: 'http', port: 80, targetPort: 'http' }]
          : [{ name: 'internal', port: 9464, targetPort: 'internal' }],
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { maxUnavailable: 1, selector: { matchLabels }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    },
    ...Object.entries<JobDeclaration>(contract.jobs)
      .filter(([, { dryRun }]) => dryRun !== undefined)
      .map(([job, declared]) => singleRunOf(contract, job, declared)),
  ]
}

/**
 * Returns the template of a single run of a worker: never scheduled, started by hand with `kubectl create job --from`. Exit
 * code 1 (refused to start) and 2 (a table is missing, a person has to act) fail the Job at once; a drained node does not.
 */
function singleRunOf(contract: Contract, job: string, { budgetSec }: JobDeclaration): object {
  const { container, volumes } = parts(contract)
  const name = `${contract.name}-${kebab(job)}`
  const { main } = placeOf(contract)
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, labels: { 'app.kubernetes.io/name': name } },
    spec: {
      suspend: true,
      schedule: '0 0 1 1 *',
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 55,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          activeDeadlineSeconds: budgetSec + 90,
          ttlSecondsAfterFinished: 3_600,
          podFailurePolicy: {
            rules: [
              { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
              { action: 'FailJob', onExitCodes: { containerName: 'app', operator: 'In', values: [1, 2] } },
            ],
          },
          template: {
            metadata: { labels: { ...labelsOf(contract), 'app.kubernetes.io/name': name } },
            spec: {
              serviceAccountName: contract.name,
              restartPolicy: 'Never',
              containers: [{ ...container, command: ['node', main, '--job', job, '--once'], resources: SINGLE_RUN }],
              volumes,
            },
          },
        },
      },
    },
  }
}

const SINGLE_RUN = { requests: { cpu: '100m', memory: '192Mi' }, limits: { memory: '512Mi' } }

/** Returns the Job that migrates the schema of a service. */
export function migrateJobOf(contract: Contract): object {
  const name = `migrate-${contract.name}`
  const { image, main } = placeOf(contract)
  const secret = `${contract.name}-migrator`
  return setupJob(
    name,
    { 'platform/postgres': 'true' },
    {
      name: 'app',
      image: `platform/${image}`,
      command: ['node', main, '--migrate'],
      env: [{ name: 'SVC_SECRETS_DIR', value: '/etc/platform/secrets' }],
      volumeMounts: [{ name: 'secrets', mountPath: '/etc/platform/secrets', readOnly: true }, AUTHORITY.mount],
      resources: SINGLE_RUN,
    },
    [{ name: 'secrets', secret: { secretName: secret, defaultMode: 0o440 } }, AUTHORITY.volume],
  )
}

/** What an update deletes and waits for: Jobs of the set-up, never a single run of a worker. */
const SETUP = { 'app.kubernetes.io/component': 'setup' }

/** Returns a Job of the set-up, which runs to its end once for each release. */
export function setupJob(name: string, reaches: Record<string, string>, container: object, volumes: object[]): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: { 'app.kubernetes.io/name': name, ...SETUP } },
    spec: {
      backoffLimit: 3,
      activeDeadlineSeconds: 900,
      ttlSecondsAfterFinished: 86_400,
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': name, ...reaches } },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          containers: [container],
          ...(volumes.length === 0 ? {} : { volumes }),
        },
      },
    },
  }
}

const command = (step: string) => ['node', 'tools/dev/setup.ts', step]
const setupContainer = (step: string, env: object[], mounts: object[] = []) => ({
  name: 'app',
  image: 'platform/setup',
  resources: SINGLE_RUN,
  volumeMounts: [AUTHORITY.mount, ...mounts],
  command: command(step),
  env,
})
const fromSecret = (secret: string, ...names: string[]) =>
  names.map((name) => ({ name, valueFrom: { secretKeyRef: { name: secret, key: name } } }))
/** What the provisioner needs to reach NATS, from a ConfigMap that names it. */
const toNats = (configMap: string) => {
  const setting = (name: string, key: string, optional = false) => ({
    name,
    valueFrom: { configMapKeyRef: { name: configMap, key, ...(optional ? { optional } : {}) } },
  })
  return {
    reaching: [
      ...fromSecret('provisioner', 'SETUP_NATS_SEED'),
      setting('NATS_URL', 'SVC_NATS_URL'),
      setting('SVC_CA_FILE', 'SVC_CA_FILE', true),
    ],
    /** The set of copies that the kustomization may name. */
    choosing: [setting('BACKUP_SET', 'BACKUP_SET', true)],
    creating: [setting('SETUP_NATS_REPLICAS', 'SETUP_NATS_REPLICAS')],
  }
}

/** Returns the Jobs that prepare Postgres and NATS: as the superuser, and as the user that creates streams. */
export function preparingJobs(): object[] {
  const { reaching, creating } = toNats('setup')
  return [
    setupJob(
      'roles',
      { 'platform/postgres': 'true' },
      setupContainer('roles', fromSecret('roles', 'POSTGRES_URL', 'SETUP_ROLE_PASSWORDS')),
      [AUTHORITY.volume],
    ),
    setupJob('provision', { 'platform/nats': 'true' }, setupContainer('streams', [...reaching, ...creating]), [
      AUTHORITY.volume,
    ]),
  ]
}

/** Returns the Job that a restore of Postgres ends with: its events are published again, into new streams. */
export function afterRestoreJob(): object {
  const { reaching, creating } = toNats('setup')
  const env = [...fromSecret('roles', 'POSTGRES_URL'), ...reaching, ...creating]
  const reaches = { 'platform/postgres': 'true', 'platform/nats': 'true' }
  return setupJob('after-restore', reaches, setupContainer('after-restore', env), [AUTHORITY.volume])
}

const COPIES = {
  mount: { name: 'copies', mountPath: '/copies' },
  volume: { name: 'copies', persistentVolumeClaim: { claimName: 'stream-backups' } },
  env: { name: 'BACKUP_DIR', value: '/copies' },
}
/** Its policy names it: it reaches NATS alone. */
const COPYING = { 'platform/copies': 'true' }

/** Returns the Job that creates the buckets from their newest copies. */
export function restoreFilesJob(): object {
  const { reaching, choosing } = toNats('setup')
  const container = setupContainer('restore-files', [...reaching, COPIES.env, ...choosing], [COPIES.mount])
  return setupJob('restore-files', COPYING, container, [AUTHORITY.volume, COPIES.volume])
}

/** Returns the CronJob that copies buckets and streams each night. */
export const backupStreamsJob = (): object => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'backup-streams', labels: { 'app.kubernetes.io/name': 'backup-streams' } },
  spec: {
    schedule: '30 2 * * *',
    timeZone: 'Etc/UTC',
    concurrencyPolicy: 'Forbid',
    startingDeadlineSeconds: 3_600,
    successfulJobsHistoryLimit: 1,
    failedJobsHistoryLimit: 3,
    jobTemplate: {
      spec: {
        backoffLimit: 2,
        activeDeadlineSeconds: 7_200,
        template: {
          metadata: { labels: { 'app.kubernetes.io/name': 'backup-streams', ...COPYING } },
          spec: {
            restartPolicy: 'Never',
            containers: [
              setupContainer('backup-streams', [...toNats('platform').reaching, COPIES.env], [COPIES.mount]),
            ],
            volumes: [AUTHORITY.volume, COPIES.volume],
          },
        },
      },
    },
  },
})
