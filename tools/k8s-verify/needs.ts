import { z } from 'zod'
import { placeOf, workloadsOf, type Finding, type Manifest } from './manifest.ts'

/** What an installation has given for a need; `example` is a value of this repository that nobody has replaced. */
export type State = 'set' | 'example' | 'missing'

/** Something that the platform needs from whoever installs it. */
export interface Need {
  /** Name as the overlay has it, such as `SVC_TRUSTED_PROXIES`. */
  readonly name: string
  /** The file or Secret where it is set. */
  readonly where: string
  readonly required: boolean
  /** What goes wrong, or is missing, without it. */
  readonly why: string
}

/** A need of settings of the ConfigMap `platform`. */
interface SettingNeed extends Need {
  /** Makes it required: a setting with one of these values. */
  readonly requiredWith?: readonly [setting: string, ...values: string[]]
}

const setting = (name: string, required: boolean, why: string): SettingNeed => ({
  name,
  where: 'ConfigMap `platform`',
  required,
  why,
})
const settingWith = (name: string, requiredWith: readonly [string, ...string[]], why: string): SettingNeed => ({
  ...setting(name, false, why),
  requiredWith,
})
const acting = (variable: string) => [variable, '0', 'false', 'no', 'off'] as const

export const SETTING_NEEDS: readonly SettingNeed[] = [
  setting(
    'SVC_PUBLIC_URL',
    true,
    'domain of sign-in messages, issuer of tokens and base of links: with the default nobody can sign in',
  ),
  setting(
    'SVC_TRUSTED_PROXIES',
    true,
    'without it the load balancer counts as the one client of all requests, and the limits for an address stop everybody',
  ),
  setting(
    'HUB_DEPLOYMENT_FILE',
    true,
    'the contracts of the chain: without it no vault is made and no event of one is read; component `deployment-file`',
  ),
  setting('MARKET_VENUES', true, 'the exchanges to read: without them there are no prices, boards and research'),
  setting(
    'SVC_ADMIN_WALLETS',
    true,
    'without an admin nobody can correct Cherry, suspend an account or name an operator',
  ),
  setting('SVC_REVIEWER_WALLETS', true, 'without a reviewer no submission of mining is decided'),
  setting('MARKET_BREADTH_VENUES', false, 'without it the breadth of a market at regulated exchanges is unknown'),
  setting('HUB_MANDATE_FACTORY_V2_ADDRESS', false, 'only for a factory that the deployment file does not name'),
  setting('HUB_HL_NETWORK', false, 'network of the venue for the leg; testnet without it'),
  setting('SVC_TRADE_NETWORK', false, 'network of the venue for the trading side; testnet without it'),
  setting('SVC_BUILDER_ADDRESS', false, 'without it no order is signed by the server and no builder fee is taken'),
  setting('SVC_VENUE_EGRESS', false, 'only for several outgoing addresses, each with a budget of its own'),
  setting('SVC_SECURITY_CONTACT', false, 'without it /.well-known/security.txt answers 404'),
  setting('SVC_OPS_CHAT_ID', false, 'without it low funds of gas drips are in the log and the table alone'),
  setting('HUB_PUBLIC_WEB_BASE', false, 'only if the pages have another address than SVC_PUBLIC_URL'),
  setting('HUB_PUBLIC_API_BASE', false, 'only if the door names another address than SVC_PUBLIC_URL'),
  setting('SVC_WEB_ORIGINS', false, 'only if pages of another address use the API'),
  setting('HUB_ALERTS_EMAIL_FROM', false, 'sender of mails to owners: required as soon as HUB_ALERTS_SMTP_URL is set'),
  settingWith(
    'SVC_KEEPER_CDP_ADDRESS',
    acting('HUB_KEEPER_MARK_DRY_RUN'),
    'account that marks and settles: required with `go-live/keeper-mark`',
  ),
  settingWith(
    'HUB_HOUSE_RUNNER_USER_ID',
    acting('HUB_HOUSE_FOLLOW_DRY_RUN'),
    'agent of the house runner: required with `go-live/house-follow`',
  ),
  settingWith(
    'SVC_GATEWAY_URL',
    acting('HUB_HOUSE_FOLLOW_DRY_RUN'),
    'where the house runner orders; its default is its own pod: required with `go-live/house-follow`',
  ),
  settingWith(
    'HUB_HL_TEST_POOL_ADDRESS',
    acting('HUB_LEG_MOVER_DRY_RUN'),
    'pool of test money: required with `go-live/leg-mover`',
  ),
]

interface SecretNeedOf extends Need {
  /** The Secrets that have the entry. */
  readonly holders: readonly string[]
}
const secret = (name: string, holders: readonly string[], required: boolean, why: string): SecretNeedOf => ({
  name,
  holders,
  where: `Secrets ${holders.map((holder) => `\`${holder}\``).join(', ')}`,
  required,
  why,
})

/** Entries that only an operator knows; `k8s-secrets.ts` leaves them empty. */
export const SECRET_NEEDS: readonly SecretNeedOf[] = [
  secret(
    'HUB_RPC_URL',
    ['chain-indexer', 'keeper', 'identity'],
    true,
    'RPC of the chain: without it no vault is read, marked or settled, and contract wallets cannot sign in',
  ),
  secret('ACCESS_KEY_ID', ['postgres-backup'], true, 'account of the backup store: without it nothing is archived'),
  secret('SECRET_ACCESS_KEY', ['postgres-backup'], true, 'its secret'),
  secret('REGION', ['postgres-backup'], true, 'its region; us-east-1 for a store that has none'),
  secret('HUB_ALERTS_SMTP_URL', ['mandates'], false, 'mail server: without it owners get no mails'),
  secret(
    'HUB_ALERTS_TELEGRAM_TOKEN',
    ['mandates'],
    false,
    'bot that writes to owners: without it they get no messages',
  ),
  secret('SVC_OPS_BOT_TOKEN', ['keeper'], false, 'bot that writes to SVC_OPS_CHAT_ID'),
  secret('CDP_API_KEY_ID', ['keeper'], false, 'custodian of the key that marks: required with `go-live/keeper-mark`'),
  secret('CDP_API_KEY_SECRET', ['keeper'], false, 'the same'),
  secret('CDP_WALLET_SECRET', ['keeper'], false, 'the same'),
  secret('HUB_HL_TEST_POOL_KEY', ['keeper'], false, 'key of the pool of test money: required with `go-live/leg-mover`'),
  secret(
    'HUB_HOUSE_RUNNER_KEY',
    ['gallery'],
    false,
    'API key of the house runner: required with `go-live/house-follow`',
  ),
  secret(
    'SVC_OTLP_URL',
    ['gateway'],
    false,
    'collector of traces, in the Secret of each service: without it there are none',
  ),
]

interface ObjectNeed extends Need {
  /** Returns the values in the objects; an absent one is `null`. */
  readonly values: (objects: readonly Manifest[]) => readonly (string | null)[]
}

const texts = z.array(z.string())
const ofKind = (objects: readonly Manifest[], place: string) => objects.filter((object) => placeOf(object) === place)
const at = (object: Manifest, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value === undefined ? undefined : Reflect.get(Object(value), name)), object)
const textAt =
  (place: string, ...path: readonly string[]) =>
  (objects: readonly Manifest[]): (string | null)[] => {
    const found = ofKind(objects, place).map((object) =>
      z
        .string()
        .nullable()
        .parse(at(object, ...path) ?? null),
    )
    return found.length === 0 ? [null] : found
  }

/** What stands in objects of the overlay. */
export const OBJECT_NEEDS: readonly ObjectNeed[] = [
  {
    name: 'hostnames of the route',
    where: 'k8s/components/gateway-api/route.yaml',
    required: true,
    why: 'the public address: the Gateway forwards no other',
    values: (objects) =>
      ofKind(objects, 'HTTPRoute/gateway').flatMap((one) => texts.parse(at(one, 'spec', 'hostnames'))),
  },
  {
    name: 'dnsNames of the public certificate',
    where: 'k8s/components/tls/certificates.yaml',
    required: true,
    why: 'the public address: clients verify it',
    values: (objects) =>
      ofKind(objects, 'Certificate/gateway').flatMap((one) => texts.parse(at(one, 'spec', 'dnsNames'))),
  },
  {
    name: 'deployment.json',
    where: 'k8s/components/deployment-file/deployment.json',
    required: true,
    why: 'chain id, first block, addresses and code hashes of the contracts, as deploying them wrote it',
    values: (objects) =>
      objects
        .filter(({ kind, metadata }) => kind === 'ConfigMap' && /^deployment(-|$)/.test(metadata.name))
        .map((one) => z.string().parse(at(one, 'data', 'deployment.json'))),
  },
  {
    name: 'destinationPath',
    where: 'ObjectStore `postgres-backup`, k8s/platform/postgres/postgres.yaml',
    required: true,
    why: 'bucket of the backups: without it a lost volume is lost data',
    values: textAt('ObjectStore/postgres-backup', 'spec', 'configuration', 'destinationPath'),
  },
  {
    name: 'endpointURL',
    where: 'ObjectStore `postgres-backup`, k8s/platform/postgres/postgres.yaml',
    required: false,
    why: 'address of the store, on port 443; remove it for Amazon S3',
    values: textAt('ObjectStore/postgres-backup', 'spec', 'configuration', 'endpointURL'),
  },
  {
    name: 'storageClass of Postgres',
    where: 'Cluster `postgres`, `storage` and `walStorage`',
    required: false,
    why: 'without it the default class of the cluster; a class on local disks keeps three copies only while three nodes live',
    values: textAt('Cluster/postgres', 'spec', 'storage', 'storageClass'),
  },
  {
    name: 'storageClassName of NATS',
    where: 'StatefulSet `nats`, `volumeClaimTemplates`',
    required: false,
    why: 'without it the default class of the cluster; it cannot be changed later',
    values: textAt('StatefulSet/nats', 'spec', 'volumeClaimTemplates', '0', 'spec', 'storageClassName'),
  },
  {
    name: 'digests of the images',
    where: '`images` of k8s/overlays, k8s/migrate and, for production, k8s/restore',
    required: true,
    why: 'with zeros nothing is pulled',
    values: (objects) =>
      workloadsOf(objects).flatMap(({ spec }) =>
        [...spec.containers, ...spec.initContainers].map(({ image }) => image),
      ),
  },
]

/** An operator whose objects the released overlays have, with the lowest version that serves their API. */
export interface OperatorNeed extends Need {
  readonly version: string
  /** API groups of its objects. */
  readonly groups: readonly string[]
}
const operator = (
  name: string,
  version: string,
  groups: readonly string[],
  required: boolean,
  why: string,
): OperatorNeed => ({
  name,
  version,
  groups,
  where: 'the cluster',
  required,
  why,
})

export const OPERATORS: readonly OperatorNeed[] = [
  operator('CloudNativePG', '1.30', ['postgresql.cnpg.io'], true, 'Postgres with three copies'),
  operator(
    'Barman Cloud plugin of CloudNativePG',
    '0.16',
    ['barmancloud.cnpg.io'],
    true,
    'backups of Postgres: CloudNativePG 1.31 has no archive of its own',
  ),
  operator(
    'cert-manager',
    '1.18',
    ['cert-manager.io'],
    true,
    'certificates of the servers, of the gateway and of the Barman Cloud plugin',
  ),
  operator(
    'External Secrets',
    '0.16',
    ['external-secrets.io'],
    false,
    'Secrets from a store; else Sealed Secrets 0.29, or `kubectl apply -k` of the folder',
  ),
  operator(
    'Gateway API',
    '1.2',
    ['gateway.networking.k8s.io'],
    true,
    'the public address; with a controller that serves the Gateway `public`',
  ),
  operator(
    'Prometheus operator',
    '0.82',
    ['monitoring.coreos.com'],
    true,
    'metrics and alerts: without it a fault is seen by nobody',
  ),
  operator(
    'KEDA',
    '2.17',
    ['keda.sh'],
    false,
    'more processes of research-reports at a rush; remove the component without it',
  ),
]

const EXAMPLE = /example\.(com|org)|-example\b|\b192\.0\.2\.|0x0{40}\b|sha256:0{64}/

const worst = (values: readonly (string | null)[]): State =>
  values.length === 0 || values.some((value) => value === null || value === '')
    ? 'missing'
    : values.some((value) => EXAMPLE.test(value ?? ''))
      ? 'example'
      : 'set'

function settingsOf(objects: readonly Manifest[]): ReadonlyMap<string, string> {
  const found = objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && /^platform(-|$)/.test(metadata.name))
  return new Map(found.flatMap((one) => Object.entries(z.record(z.string(), z.string()).parse(one['data'] ?? {}))))
}

/** A need with what an installation has given for it. */
export interface Judged {
  readonly need: Need
  readonly state: State
}

/**
 * Returns what an overlay needs of its installation and has. `entryOf` returns the text of an entry of a Secret, for an installation
 * whose folder of secrets is at hand; without it secrets are not judged.
 */
export function judgeNeeds(
  objects: readonly Manifest[],
  entryOf?: (secret: string, entry: string) => string | null,
): Judged[] {
  const settings = settingsOf(objects)
  const isDemanded = ({ required, requiredWith: [name, ...values] = [''] }: SettingNeed) =>
    required || values.includes(settings.get(name) ?? '')
  return [
    ...SETTING_NEEDS.map((need) => ({
      need: { ...need, required: isDemanded(need) },
      state: worst([settings.get(need.name) ?? null]),
    })),
    ...OBJECT_NEEDS.map((need) => ({ need, state: worst(need.values(objects)) })),
    ...(entryOf === undefined
      ? []
      : SECRET_NEEDS.map((need) => ({ need, state: worst(need.holders.map((holder) => entryOf(holder, need.name))) }))),
  ]
}

/** What a released overlay does not say at all; an example that is still there is found by `--needs`, in an installation. */
export const missingNeeds = (objects: readonly Manifest[]): Finding[] =>
  judgeNeeds(objects)
    .filter(({ need, state }) => need.required && state === 'missing')
    .map(({ need }) => ({ rule: 'needs', where: need.where, problem: `set ${need.name}: ${need.why}` }))
