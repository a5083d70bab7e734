/** A NATS user with key and permissions. `allowResponses`: it may answer requests that it received. */
export interface NatsUser {
  readonly name: string
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

const variable = (text: string) => (text.startsWith('$') ? text : quote(text))

/**
 * Configuration text for nats-server: JetStream on, and one nkey user per service with its own permissions, deny by default.
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
    `jetstream { store_dir: ${quote(storeDir)}, max_file_store: ${fileStoreMax}, max_memory_store: 268435456 }`,
    ...(options.monitoring === undefined ? [] : [`http: ${quote(options.monitoring)}`]),
    ...(cluster === undefined
      ? []
      : [
          `cluster { name: ${quote(cluster.name)}, listen: ${quote(`${cluster.host}:${cluster.port}`)}, no_advertise: true, ${ROUTE_PINGS},${cluster.advertise === undefined ? '' : ` advertise: ${quote(cluster.advertise)},`} routes: [${cluster.routes.map(quote).join(', ')}] }`,
        ]),
  ]
  if (users === null) return `${server.join('\n')}\n`
  return [
    ...server,
    'accounts {',
    '  APP {',
    '    jetstream: enabled',
    '    users: [',
    ...users.map(userLine),
    '    ]',
    '  }',
    '}',
    '',
  ].join('\n')
}

function userLine({ name, publicKey, permissions }: NatsUser): string {
  if (permissions === undefined) return `      { nkey: ${publicKey} } # ${name}`
  const responses = permissions.allowResponses === true ? ', allow_responses: { max: 1, expires: "30s" }' : ''
  return `      { nkey: ${publicKey}, permissions: { publish: ${rule(permissions.publish)}, subscribe: ${rule(permissions.subscribe)}${responses} } } # ${name}`
}
