import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime, { type Email } from 'postal-mime'
import { generate } from 'selfsigned'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/** A mail that the server accepted. */
export interface ReceivedMail {
  readonly to: readonly string[]
  readonly raw: string
  readonly mail: Email
  readonly secure: boolean
}

/** Statuses that the server returns in turn instead of 250, by command. */
export interface Answers {
  from: number[]
  to: number[]
  data: number[]
}

export interface MailServer {
  readonly port: number
  readonly received: ReceivedMail[]
  readonly answers: Answers
  /** Logins that were shown to the server, right or wrong. */
  readonly logins: string[]
  /** Called with each mail before it is answered. */
  onMail: () => void
  stop(): Promise<void>
}

export interface MailServerOptions {
  /** Another address than 127.0.0.1, which mandates takes for another machine. */
  readonly host?: string
  /** Encrypted from the start. */
  readonly secure?: boolean
  /** Offers no STARTTLS. */
  readonly hideTls?: boolean
  /** The one login that is right; without it none is needed. */
  readonly login?: string
}

/** The self-signed certificate of all servers of a test file. */
export const certificate = generate([{ name: 'commonName', value: 'localhost' }], {
  extensions: [
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.2' },
      ],
    },
  ],
})

/** Starts a real SMTP server. It accepts every login and offers STARTTLS unless that is hidden. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const take = async (stream: Readable, session: SMTPServerSession): Promise<void> => {
    const raw = await text(stream)
    const to = session.envelope.rcptTo.map(({ address }) => address)
    received.push({ to, raw, mail: await PostalMime.parse(raw), secure: session.secure })
    handle.onMail()
  }
  const { host = '127.0.0.1', secure = false, hideTls = false, login } = options
  const { private: key, cert } = await certificate
  const answers: Answers = { from: [], to: [], data: [] }
  const received: ReceivedMail[] = []
  const logins: string[] = []
  const refusalOf = (stage: keyof Answers): Error | null => {
    const status = answers[stage].shift() ?? 250
    return status < 400 ? null : Object.assign(new Error('owner@example.org secretsecret'), { responseCode: status })
  }
  const server = new SMTPServer({
    key,
    cert,
    disableReverseLookup: true,
    secure,
    ...(hideTls ? { disabledCommands: ['STARTTLS'] } : {}),
    authOptional: login === undefined,
    allowInsecureAuth: true,
    closeTimeout: 500,
    onAuth: ({ username, password }, _session, done) => {
      logins.push(`${username}:${password}`)
      if (`${username}:${password}` === login) done(null, { user: username })
      else done(new Error('wrong login'))
    },
    onMailFrom: (_address, _session, done) => done(refusalOf('from')),
    onRcptTo: (_address, _session, done) => done(refusalOf('to')),
    onData: (stream, session, done) => {
      const answer = callbackify(() => take(stream, session))
      answer((error) => done(error ?? refusalOf('data')))
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const handle: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    received,
    answers,
    logins,
    onMail: () => {},
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return handle
}
