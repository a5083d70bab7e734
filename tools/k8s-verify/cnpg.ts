import { z } from 'zod'

/**
 * The fields of CloudNativePG 1.30 and of its plugin for Barman Cloud 0.16 that the manifests use, closed: no package has the
 * schemas of their objects, and a misspelt field would be ignored by the API server's pruning.
 */
const metadata = z.strictObject({
  name: z.string(),
  namespace: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
})
const named = z.strictObject({ name: z.string() })
const keyOf = z.strictObject({ name: z.string(), key: z.string() })
const resources = z.strictObject({
  requests: z.record(z.string(), z.string()).optional(),
  limits: z.record(z.string(), z.string()).optional(),
})

const BARMAN = z.literal('barman-cloud.cloudnative-pg.io')
/** `serverName` is the folder of the cluster whose backup is read: its name. */
const archive = z.strictObject({ barmanObjectName: z.string(), serverName: z.string().optional() })

export const cnpgSchemas: Readonly<Record<string, z.ZodType>> = {
  Cluster: z.strictObject({
    apiVersion: z.literal('postgresql.cnpg.io/v1'),
    kind: z.literal('Cluster'),
    metadata,
    spec: z.strictObject({
      instances: z.int().min(1),
      imageName: z.string(),
      primaryUpdateStrategy: z.enum(['unsupervised', 'supervised']),
      enableSuperuserAccess: z.boolean(),
      superuserSecret: named,
      storage: z.strictObject({ size: z.string() }),
      walStorage: z.strictObject({ size: z.string() }),
      resources,
      certificates: z.strictObject({ serverTLSSecret: z.string(), serverCASecret: z.string() }).optional(),
      postgresql: z.strictObject({
        pg_hba: z.array(z.string()).optional(),
        parameters: z.record(z.string(), z.string()),
        synchronous: z.strictObject({ method: z.enum(['any', 'first']), number: z.int().min(1) }),
      }),
      plugins: z.tuple([z.strictObject({ name: BARMAN, isWALArchiver: z.literal(true), parameters: archive })]),
      bootstrap: z
        .strictObject({
          recovery: z.strictObject({
            source: z.string(),
            recoveryTarget: z.strictObject({ targetTime: z.iso.datetime({ offset: true }) }).optional(),
          }),
        })
        .optional(),
      externalClusters: z
        .array(z.strictObject({ name: z.string(), plugin: z.strictObject({ name: BARMAN, parameters: archive }) }))
        .optional(),
      monitoring: z.strictObject({ enablePodMonitor: z.boolean() }),
    }),
  }),
  ScheduledBackup: z.strictObject({
    apiVersion: z.literal('postgresql.cnpg.io/v1'),
    kind: z.literal('ScheduledBackup'),
    metadata,
    spec: z.strictObject({
      schedule: z.string().regex(/^(\S+ ){5}\S+$/, 'has six fields, the first are seconds'),
      backupOwnerReference: z.enum(['none', 'self', 'cluster']),
      cluster: named,
      method: z.literal('plugin'),
      pluginConfiguration: z.strictObject({ name: BARMAN }),
    }),
  }),
  ObjectStore: z.strictObject({
    apiVersion: z.literal('barmancloud.cnpg.io/v1'),
    kind: z.literal('ObjectStore'),
    metadata,
    spec: z.strictObject({
      retentionPolicy: z.string().regex(/^\d+[dwm]$/),
      configuration: z.strictObject({
        destinationPath: z.string().regex(/^s3:\/\//),
        endpointURL: z.url().optional(),
        s3Credentials: z.strictObject({ accessKeyId: keyOf, secretAccessKey: keyOf, region: keyOf }),
        wal: z.strictObject({ compression: z.enum(['gzip', 'bzip2', 'snappy']) }),
        data: z.strictObject({ compression: z.enum(['gzip', 'bzip2', 'snappy']) }),
      }),
      instanceSidecarConfiguration: z.strictObject({ resources }),
    }),
  }),
}
