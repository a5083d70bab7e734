import { cnpgSchemas } from './cnpg.ts'
import { placeOf, type Finding, type Manifest } from './manifest.ts'

/** Packages with the schemas of custom resources, by API group. */
const CUSTOM: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'bitnami.com': '@kubernetes-models/sealed-secrets',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

interface Model {
  validate(): void
}
type ModelOf = new (object: object) => Model
interface Attribute {
  readonly baseName: string
  readonly type: string
}

const models = new Map<string, Promise<ModelOf | null>>()

function modelOf(apiVersion: string, kind: string): Promise<ModelOf | null> {
  const key = `${apiVersion}/${kind}`
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
  const known = models.get(key)
  if (known !== undefined) return known
  const loading = import(`${CUSTOM[group] ?? 'kubernetes-models'}/${key}`).then(
    (module: Record<string, ModelOf>) => module[kind] ?? null,
    () => null,
  )
  models.set(key, loading)
  return loading
}

const attributes = new Map<string, Promise<readonly Attribute[] | null>>()

/** Returns the fields of a type of Kubernetes 1.36; null for a type that has no fields of its own. */
function attributesOf(type: string): Promise<readonly Attribute[] | null> {
  const known = attributes.get(type)
  if (known !== undefined) return known
  const loading = import(`@kubernetes/client-node/dist/gen/models/${type}.js`).then(
    (module: Record<string, { readonly attributeTypeMap: readonly Attribute[] }>) =>
      module[type]?.attributeTypeMap ?? null,
    () => null,
  )
  attributes.set(type, loading)
  return loading
}

/** Returns the paths of fields that a type does not have, which the API server would drop or reject. */
async function unknownFields(value: unknown, type: string, path: string): Promise<string[]> {
  const item = /^Array<(.*)>$/.exec(type)?.[1]
  if (item !== undefined && Array.isArray(value)) {
    const nested = value.map((one, at) => unknownFields(one, item, `${path}[${at}]`))
    return (await Promise.all(nested)).flat()
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const valueType = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1]
  if (valueType !== undefined) {
    const nested = Object.entries(value).map(([key, one]) => unknownFields(one, valueType, `${path}.${key}`))
    return (await Promise.all(nested)).flat()
  }
  const fields = await attributesOf(type)
  if (fields === null || fields.length === 0) return []
  const nested = Object.entries(value).map(async ([name, one]) => {
    const field = fields.find(({ baseName }) => baseName === name)
    return field === undefined ? [`${path}.${name}`] : unknownFields(one, field.type, `${path}.${name}`)
  })
  return (await Promise.all(nested)).flat()
}

const typeOf = ({ apiVersion, kind }: Manifest) => {
  const version = apiVersion.split('/').at(-1) ?? ''
  return `${version.charAt(0).toUpperCase()}${version.slice(1)}${kind}`
}

/** Validates each object against the schemas of the targeted release of Kubernetes and of the custom resources. */
export async function wrongShapes(objects: readonly Manifest[]): Promise<Finding[]> {
  return (await Promise.all(objects.map(wrongShape))).flat()
}

async function wrongShape(object: Manifest): Promise<Finding[]> {
  const found = (problem: string): Finding => ({ rule: 'schema', where: placeOf(object), problem })
  const { apiVersion, kind } = object
  if (/^\w+\.cnpg\.io\//.test(apiVersion)) {
    const parsed = cnpgSchemas[kind]?.safeParse(object)
    if (parsed === undefined) return [found(`${apiVersion} ${kind} is not described in cnpg.ts: describe its fields`)]
    return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => found(`${path.join('.')}: ${message}`))
  }
  const Model = await modelOf(apiVersion, kind)
  if (Model === null) return [found(`${apiVersion} ${kind} does not exist in the targeted release`)]
  const problems: Finding[] = []
  try {
    new Model(object).validate()
  } catch (error) {
    problems.push(found(error instanceof Error ? error.message : String(error)))
  }
  const unknown = await unknownFields(object, typeOf(object), kind)
  return [...problems, ...unknown.map((path) => found(`${path} is not a field`))]
}
