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
}

const quote = (text: string) => JSON.stringify(text)
/** Returns a permission rule. nats-server reads an empty list of allowed subjects as no list, which allows everything: it becomes deny all. */
const rule = (subjects: readonly string[]) =>
  subjects.length === 0 ? '{ deny: [">"] }' : `{ allow: [${subjects.map(quote).join(', ')}] }`

/** Configuration text for nats-server: JetStream on, and one nkey user per service with its own permissions, deny by default. */
export function natsConfig({ host, port, storeDir, users }: NatsConfigOptions): string {
  const server = [
    `host: ${quote(host)}`,
    `port: ${port}`,
    'server_name: "local"',
    // A page of the board is larger than the default of a megabyte.
    'max_payload: 8388608',
    // On a busy machine a client signs its nonce late: the default of 2 s made starts fail.
    'authorization { timeout: 30 }',
    `jetstream { store_dir: ${quote(storeDir)}, max_file_store: 34359738368, max_memory_store: 268435456 }`,
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
