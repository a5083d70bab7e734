/** Subjects of another account that an account sees: `service` for messages to it, `stream` for messages from it. */
export interface NatsImport {
  readonly kind: 'service' | 'stream'
  /** Account that has the subjects; null: that of the streams. */
  readonly from: string | null
  readonly subject: string
  /** Name of the subject in the account that sees it; default: `subject`. */
  readonly to?: string
  /** A message to it is answered more than once. */
  readonly manyAnswers?: boolean
}

/** A NATS user with key and permissions. `allowResponses`: it may answer requests that it received. */
export interface NatsUser {
  readonly name: string
  /** Account of the user, whose other users have the same imports; default: that of the streams. */
  readonly account?: string | null
  readonly imports?: readonly NatsImport[]
  /** Public nkey (`U…`). */
  readonly publicKey: string
  readonly permissions?: {
    readonly publish: readonly string[]
    readonly subscribe: readonly string[]
    readonly allowResponses?: boolean
  }
}

export interface NatsConfigOptions {
  readonly host: string
  readonly port: number
  readonly storeDir: string
  /** Null: anybody may connect and do everything. */
  readonly users: readonly NatsUser[] | null
  /** Name of this server, which differs from those of its cluster; default: `local`. May be a variable, `$POD_NAME`. */
  readonly serverName?: string
  /** The nodes of a cluster with the address at which each listens for the others; none: a single server. */
  readonly cluster?: {
    readonly name: string
    readonly host: string
    readonly port: number
    readonly routes: readonly string[]
    /** Address that other nodes are told; default: where this node listens. */
    readonly advertise?: string
  }
  /** Largest total of JetStream files, bytes. */
  readonly fileStoreMax?: number
  /** Address of the monitoring port, which shows who subscribes to what; none: no such port. */
  readonly monitoring?: string
}

const quote = (text: string) => JSON.stringify(text)
/** Returns a permission rule. nats-server reads an empty list of allowed subjects as no list, which allows everything: it becomes deny all. */
const rule = (subjects: readonly string[]) =>
  subjects.length === 0 ? '{ deny: [">"] }' : `{ allow: [${subjects.map(quote).join(', ')}] }`

/** A route that is cut is found within 15 s. Until then requests are sent along it and lost; by default that takes minutes. */
const ROUTE_PINGS = 'ping_interval: "5s", ping_max: 2'

/**
 * The account of streams, buckets and consumers. Formerly it was that of all users, and it keeps the name, since its data lies
 * in a folder of that name.
 */
const STREAMS = 'APP'

const variable = (text: string) => (text.startsWith('$') ? text : quote(text))

/**
 * Configuration text for nats-server: JetStream on, and one nkey user per service with its own permissions, deny by default.
 * Each service has an account of its own, which reaches others by what it imports alone: a reply subject has a meaning in the
 * account of the sender only, so that nobody makes the server act on subjects of others.
 * The public key of a user may be a variable of the server's environment, `$NATS_USER_MINING`.
 */
export function natsConfig(options: NatsConfigOptions): string {
  const { host, port, storeDir, users, serverName = 'local', cluster, fileStoreMax = 34_359_738_368 } = options
  const server = [
    `host: ${quote(host)}`,
    `port: ${port}`,
    `server_name: ${variable(serverName)}`,
    // A page of the board is larger than the default of a megabyte.
    'max_payload: 8388608',
    // On a busy machine a client signs its nonce late: the default of 2 s made starts fail.
    'authorization { timeout: 30 }',
    `jetstream { store_dir: ${quote(storeDir)}, max_file_store: ${fileStoreMax}, max_memory_store: 268435456, strict: true }`,
    ...(options.monitoring === undefined ? [] : [`http: ${quote(options.monitoring)}`]),
    ...(cluster === undefined
      ? []
      : [
          `cluster { name: ${quote(cluster.name)}, listen: ${quote(`${cluster.host}:${cluster.port}`)}, no_advertise: true, ${ROUTE_PINGS},${cluster.advertise === undefined ? '' : ` advertise: ${quote(cluster.advertise)},`} routes: [${cluster.routes.map(quote).join(', ')}] }`,
        ]),
  ]
  if (users === null) return `${server.join('\n')}\n`
  return [...server, 'accounts {', ...accountsOf(users).flatMap(accountLines), '}', ''].join('\n')
}

interface Account {
  readonly name: string
  readonly users: readonly NatsUser[]
  readonly imports: readonly NatsImport[]
  readonly exports: readonly Export[]
}

interface Export extends Pick<NatsImport, 'kind' | 'subject' | 'manyAnswers'> {
  /** The only accounts that see it. */
  readonly to: readonly string[]
}

const accountName = (account: string | null | undefined): string =>
  account == null ? STREAMS : account.toUpperCase().replaceAll('-', '_')

/** Returns the accounts of users; each exports what others import from it, and to nobody else. */
function accountsOf(users: readonly NatsUser[]): readonly Account[] {
  const names = [...new Set([STREAMS, ...users.map(({ account }) => accountName(account))])]
  const importsOf = (name: string) => users.find(({ account }) => accountName(account) === name)?.imports ?? []
  return names.map((name) => ({
    name,
    users: users.filter(({ account }) => accountName(account) === name),
    imports: importsOf(name),
    exports: exportsOf(
      names.flatMap((to) =>
        importsOf(to)
          .filter(({ from }) => accountName(from) === name)
          .map(({ kind, subject, manyAnswers }) => ({ kind, subject, manyAnswers: manyAnswers ?? false, to: [to] })),
      ),
    ),
  }))
}

/** Joins exports of one subject to several accounts: the server accepts one. */
function exportsOf(wanted: readonly Export[]): readonly Export[] {
  const joined = new Map<string, Export>()
  for (const one of wanted) {
    const key = `${one.kind} ${one.subject}`
    joined.set(key, { ...one, to: [...(joined.get(key)?.to ?? []), ...one.to] })
  }
  return [...joined.values()]
}

function accountLines({ name, users, imports, exports }: Account): readonly string[] {
  const block = (word: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`    ${word}: [`, ...lines, '    ]']
  return [
    `  ${name} {`,
    ...(name === STREAMS ? ['    jetstream: enabled'] : []),
    ...block('users', users.map(userLine)),
    ...block('exports', exports.map(exportLine)),
    ...block('imports', imports.map(importLine)),
    '  }',
  ]
}

const exportLine = ({ kind, subject, manyAnswers, to }: Export): string =>
  `      { ${kind}: ${quote(subject)}${manyAnswers === true ? ', response_type: stream' : ''}, accounts: [${to.join(', ')}] }`

const importLine = ({ kind, from, subject, to }: NatsImport): string =>
  `      { ${kind}: { account: ${accountName(from)}, subject: ${quote(subject)} }${to === undefined ? '' : `, to: ${quote(to)}`} }`

function userLine({ name, publicKey, permissions }: NatsUser): string {
  if (permissions === undefined) return `      { nkey: ${publicKey} } # ${name}`
  const responses = permissions.allowResponses === true ? ', allow_responses: { max: 1, expires: "30s" }' : ''
  return `      { nkey: ${publicKey}, permissions: { publish: ${rule(permissions.publish)}, subscribe: ${rule(permissions.subscribe)}${responses} } } # ${name}`
}
