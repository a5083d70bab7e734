import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Before a commit reaches Postgres, or after Postgres has stored it and before its client learns it. */
export type CutMoment = 'before' | 'after'

/** A proxy in front of a database that lets a test end its client at a commit. */
export interface CommitGate {
  /** Address of the database behind the gate. */
  readonly url: string
  /**
   * Restarts the count of commits at 0, and calls `cut` at commit number `at`. From then on the connection of that commit transmits
   * nothing: `cut` kills the process that made it. With `of`, only commits of statements that it matches count.
   */
  cutAt(at: number, moment: CutMoment, cut: () => void, of?: RegExp): void
  /** Lets every commit through. */
  open(): void
  stop(): Promise<void>
}

interface Plan {
  left: number
  readonly moment: CutMoment
  readonly cut: () => void
  readonly of: RegExp
}

/** Starts a gate in front of the database at `url`. A commit is a COMMIT, or a statement that writes outside a transaction. */
export async function commitGate(url: string): Promise<CommitGate> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let plan: Plan | null = null
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    between(client, upstream, (text) => {
      if (plan === null || !plan.of.test(text)) return null
      plan.left -= 1
      return plan.left < 0 ? plan : null
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const gate = new URL(url)
  gate.hostname = '127.0.0.1'
  gate.port = String((server.address() as AddressInfo).port)
  return {
    url: gate.href,
    open: () => {
      plan = null
    },
    cutAt: (at, moment, cut, of = /^/) => {
      plan = {
        left: at,
        moment,
        of,
        cut: () => {
          plan = null
          cut()
        },
      }
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

/** Transmits messages both ways until `atCommit`, given the statements of a commit, returns the plan of the cut. */
function between(client: Socket, upstream: Socket, atCommit: (text: string) => Plan | null): void {
  const statements = new Map<string, string>()
  let isIdle = true
  let isCut = false
  let cutAfter: Plan | null = null
  let said = ''
  /** Returns the statements that a message commits; null for a message that commits nothing. */
  const committedBy = (type: string, body: Buffer): string | null => {
    if (type === 'P') {
      const [name = '', text = ''] = words(body)
      statements.set(name, text)
    }
    const text = type === 'Q' ? words(body)[0] : type === 'B' ? statements.get(words(body)[1] ?? '') : undefined
    if (text === undefined) return null
    said = isIdle ? text : `${said}\n${text}`
    return (isIdle ? WRITE : COMMIT).test(text) ? said : null
  }
  eachMessage(client, true, (type, bytes) => {
    if (isCut) return
    const committed = type === null ? null : committedBy(type, bytes.subarray(HEAD))
    if (committed !== null) {
      const plan = atCommit(committed)
      if (plan?.moment === 'before') {
        isCut = true
        return plan.cut()
      }
      cutAfter = plan
    }
    upstream.write(bytes)
  })
  eachMessage(upstream, false, (type, bytes) => {
    if (isCut) return
    if (type === 'Z') {
      isIdle = bytes.toString('latin1', HEAD) === 'I'
      if (cutAfter !== null) {
        isCut = true
        return cutAfter.cut()
      }
    }
    client.write(bytes)
  })
}

const COMMIT = /^\s*commit\b/i
const WRITE = /^\s*(?:with\b[^]*)?\b(?:insert\s+into|update|delete\s+from)\b/i
/** A type and a length, which counts itself. */
const HEAD = 5

/** The text of a message up to its last byte of zero, at the zeros. */
const words = (body: Buffer): readonly string[] => body.toString('utf8').split('\0')

/** Calls `take` with each whole message of PostgreSQL's protocol; the first of a client has no type. */
function eachMessage(socket: Socket, isClient: boolean, take: (type: string | null, bytes: Buffer) => void): void {
  let held: Buffer = Buffer.alloc(0)
  let hasStarted = !isClient
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const head = hasStarted ? 1 : 0
      if (held.length < head + 4) return
      const length = head + held.readUInt32BE(head)
      if (held.length < length) return
      const message = held.subarray(0, length)
      held = held.subarray(length)
      take(hasStarted ? message.toString('latin1', 0, 1) : null, message)
      hasStarted = true
    }
  })
}
