import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { loadSettings, SettingError } from '@svc/contract'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openMailer } from '#alerts/mailer.ts'
import { alertMail } from '#alerts/rules/mails.ts'
import { certificate, startMailServer, type MailServer, type MailServerOptions } from './mail-server.ts'
import { mandatesSettings } from '@svc/contracts/mandates/settings'

const FROM = 'alerts@example.org'
const LOGIN = { url: 'us%40er:secret%2Fsecret@', pair: 'us@er:secret/secret' }
const servers: { stop(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
})

async function mailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  servers.push(server)
  return server
}
const elsewhere = (more: MailServerOptions = {}) => mailServer({ host: '127.0.0.2', login: LOGIN.pair, ...more })
const mailerOf = (url: string, timeoutMs?: number) => {
  const { alertsSmtpUrl } = loadSettings(
    { alertsSmtpUrl: mandatesSettings.alertsSmtpUrl },
    { HUB_ALERTS_SMTP_URL: url },
  )
  const mailer = openMailer(alertsSmtpUrl, FROM, timeoutMs)
  if (mailer === null) throw new Error('no mailer')
  return mailer
}
const notEncrypted = { sent: false, failure: 'no encrypted connection to the mail server', final: false }
const mail = { key: 'mdt_1.2', subject: 'Subject', text: 'Text\n' }

test('neither mail nor login is sent to a remote server with an invalid certificate', async () => {
  const [starttls, secure] = [await elsewhere(), await elsewhere({ secure: true })]
  for (const url of [`smtp://${LOGIN.url}127.0.0.2:${starttls.port}`, `smtps://${LOGIN.url}127.0.0.2:${secure.port}`])
    expect(await mailerOf(url)('owner@example.org', mail)).toEqual(notEncrypted)
  expect([...starttls.received, ...secure.received, ...starttls.logins, ...secure.logins]).toEqual([])
})

test('neither mail nor login is sent to a remote server without encryption', async () => {
  const server = await elsewhere({ hideTls: true })
  expect(await mailerOf(`smtp://${LOGIN.url}127.0.0.2:${server.port}`)('owner@example.org', mail)).toEqual(notEncrypted)
  expect([...server.received, ...server.logins]).toEqual([])
})

test('login and mail are sent encrypted to a server with a valid certificate', async () => {
  const [starttls, secure] = [await elsewhere(), await elsewhere({ secure: true })]
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, (await certificate).cert])
  try {
    for (const url of [`smtp://${LOGIN.url}127.0.0.2:${starttls.port}`, `smtps://${LOGIN.url}127.0.0.2:${secure.port}`])
      expect(await mailerOf(url)('owner@example.org', mail)).toEqual({ sent: true })
  } finally {
    tls.setDefaultCACertificates(before)
  }
  for (const server of [starttls, secure]) {
    expect(server.logins).toEqual([LOGIN.pair])
    expect(server.received.map((one) => one.secure)).toEqual([true])
  }
})

test('a rejected login is a failure that does not contain the login and is not final', async () => {
  const server = await mailServer({ login: LOGIN.pair })
  const delivery = await mailerOf(`smtp://us:${'secret'.repeat(2)}@127.0.0.1:${server.port}`)('owner@example.org', mail)
  expect(delivery).toEqual({ sent: false, failure: 'the mail server answered 535', final: false })
})

test.each<[string, 'from' | 'to' | 'data', number, boolean]>([
  ['the recipient for now', 'to', 451, false],
  ['the recipient', 'to', 550, true],
  ['the message for now', 'data', 452, false],
  ['the message', 'data', 554, true],
  ['the sender, which is for the operator to mend', 'from', 550, false],
])('the failure of a server that rejects %s (%s, %s) has final %s', async (_what, stage, status, final) => {
  const server = await mailServer()
  server.answers[stage].push(status)
  const mailer = mailerOf(`smtp://127.0.0.1:${server.port}`)
  const failure = `the mail server answered ${status}`
  expect(await mailer('owner@example.org', mail)).toEqual({ sent: false, failure, final })
  expect(await mailer('owner@example.org', mail)).toEqual({ sent: true })
})

test('a server that is away, silent, or answers byte by byte takes a limited time', async () => {
  const open = async (speak: (socket: Socket) => void): Promise<{ server: Server; port: number }> => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      speak(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push({ stop: async () => void server.close() })
    return { server, port: (server.address() as AddressInfo).port }
  }
  const silent = await open(() => {})
  const dripping = await open((socket) => {
    const drip = setInterval(() => socket.write('2'), 20)
    socket.on('close', () => clearInterval(drip))
  })
  const gone = await open(() => {})
  gone.server.close()
  for (const { port } of [silent, dripping, gone]) {
    expect(await mailerOf(`smtp://127.0.0.1:${port}`, 300)('owner@example.org', mail)).toEqual({
      sent: false,
      failure: 'the mail server could not be reached',
      final: false,
    })
  }
})

test('the mail of any alert has one recipient, a subject of one line, and the unchanged text', async () => {
  const server = await mailServer()
  const mailer = mailerOf(`smtp://127.0.0.1:${server.port}`)
  const hostile = [
    '\r\nBcc: thief@example.org\r\n\r\n',
    '\n.\n',
    '\u2028Bcc: x@y.z',
    '\0',
    '=?utf-8?Q?=0D=0ABcc:_x?=',
    'é🙂',
  ]
  const text = fc.array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary', maxLength: 40 })), {
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      server.received.length = 0
      const alert = {
        id: 7,
        mandate_id: 'mdt_1',
        severity: 'critical',
        text: parts.join(''),
        link: 'https://localhost/x',
      }
      expect(await mailer('owner@example.org', alertMail([alert]))).toEqual({ sent: true })
      expect(server.received).toHaveLength(1)
      const [{ to, mail: received, raw }] = server.received as [(typeof server.received)[number]]
      expect(to).toEqual(['owner@example.org'])
      const names = received.headers.map(({ key }) => key).toSorted()
      expect(names).toEqual([
        'auto-submitted',
        'content-transfer-encoding',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ])
      expect(received.messageId).toBe('<mdt_1.7@example.org>')
      expect(received.subject).toMatch(/^Mandate alert \(critical\):/)
      expect([...(received.subject ?? '')].length).toBeLessThanOrEqual(120)
      expect(raw.split('\r\n\r\n')[0]).toMatch(/^Subject: /m)
      expect(received.text).toContain('DELETE /hub/me/alert-email')
    }),
    { numRuns: process.env['TEST_LONG'] === '1' ? 500 : 25, seed: Number(process.env['TEST_SEED'] ?? '1') },
  )
  const alert = {
    id: 8,
    mandate_id: 'mdt_1',
    severity: 'critical',
    text: 'Über "Wochenende" 🙂\nnext line',
    link: 'https://l/x',
  }
  await mailer('owner@example.org', alertMail([alert]))
  expect(server.received.at(-1)?.mail.text).toMatch(/^Über "Wochenende" 🙂\nnext line\n\nhttps:\/\/l\/x\n/)
  expect(server.received.at(-1)?.mail.subject).toBe('Mandate alert (critical): Über "Wochenende" 🙂 next line')
})

test.each([
  'http://host',
  'smtp://user@host',
  'smtp://:pass@host',
  'smtps://user:%zz@host',
  'smtps://user:secret@host/?tls.rejectUnauthorized=false',
  'smtps://user:secret@host/path',
  'smtp://',
  'secret',
])('the setting %s is rejected as a mail server, and the error does not contain it', (url) => {
  const read = () => mailerOf(url)
  expect(read).toThrow(SettingError)
  expect(read).not.toThrow(/secret/)
})

test('a mail server without a sender address is rejected at the start', () => {
  const server = loadSettings(
    { url: mandatesSettings.alertsSmtpUrl },
    { HUB_ALERTS_SMTP_URL: 'smtps://u:p@mail.example.org' },
  ).url
  expect(server).toEqual({
    host: 'mail.example.org',
    port: 465,
    encryption: 'tls',
    login: { user: 'u', pass: 'p' },
  })
  expect(() => openMailer(server, null)).toThrow(/HUB_ALERTS_EMAIL_FROM is required/)
  expect(openMailer(null, null)).toBeNull()
})
