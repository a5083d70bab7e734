import { z } from 'zod'

/**
 * The fields of CloudNativePG 1.30 that the manifests use, closed: no package has the schemas of its objects, and a
 * misspelt field would be ignored by the API server's pruning.
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
      backup: z.strictObject({
        retentionPolicy: z.string().regex(/^\d+[dwm]$/),
        barmanObjectStore: z.strictObject({
          destinationPath: z.string(),
          s3Credentials: z.strictObject({ accessKeyId: keyOf, secretAccessKey: keyOf }),
          wal: z.strictObject({ compression: z.enum(['gzip', 'bzip2', 'snappy']) }),
        }),
      }),
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
    }),
  }),
}
