import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort, serverBinary } from '@svc/servers'
import { openBus, openLog, redisTls } from '@svc/service'
import { eventually } from '@svc/testing'
import { afterAll, expect, test } from 'vitest'
import { signCertificates } from './certificates.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-certificates-'))
const running: ChildProcess[] = []
afterAll(() => {
  for (const one of running) one.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const certificate = (name: string) => ({ secretName: name, isCA: false, dnsNames: [name] })
const signed = await signCertificates(
  { certificates: Object.fromEntries(['good', 'ended'].map((name) => [name, certificate(name)])) },
  { good: '127.0.0.1', ended: '127.0.0.1' },
  ['ended'],
)
const authority = signed['good']?.['ca.crt'] ?? ''
const fileOf = (secret: string, key: string): string => {
  const path = join(folder, `${secret}-${key}`)
  writeFileSync(path, signed[secret]?.[key] ?? '', { mode: 0o600 })
  return path
}

async function start(name: 'nats-server' | 'redis-server', args: readonly string[]): Promise<void> {
  const binary = await serverBinary(name, folder, () => {})
  running.push(spawn(binary.path, args, { env: { PATH: process.env['PATH'], ...binary.env }, stdio: 'ignore' }))
}

/** Returns whether a server takes connections at a port. */
const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Starts NATS as the component servers-tls configures it. */
async function startNats(secret: string): Promise<string> {
  const port = await freePort()
  const config = `host: "127.0.0.1", port: ${port}
    tls { cert_file: "${fileOf(secret, 'tls.crt')}", key_file: "${fileOf(secret, 'tls.key')}", handshake_first: true }`
  const path = join(folder, `${secret}.conf`)
  writeFileSync(path, config)
  await start('nats-server', ['-c', path])
  await eventually(() => accepts(port))
  return `127.0.0.1:${port}`
}
const bus = (url: string, ca: string | null, patienceMs = 3_000) =>
  openBus({ url, name: 'mining', seed: null, log: openLog('mining', 'silent'), patienceMs, authority: ca })

test('a service reaches NATS by TLS alone, and says why it does not accept a certificate', async () => {
  const good = await startNats('good')
  const connected = await bus(`tls://${good}`, authority, 600_000)
  expect(connected.connected()).toBe(true)
  await connected.close()
  await expect(bus(`tls://${good}`, null)).rejects.toThrow(/certificate/)
  await expect(bus(`nats://${good}`, null)).rejects.toThrow()
  await expect(bus(`tls://${await startNats('ended')}`, authority)).rejects.toThrow(/certificate has expired/)
})

test('a service reaches Redis at rediss:// with the certificates of its authority, and no expired one', async () => {
  const answersOf = async (secret: string) => {
    const port = await freePort()
    const keys = ['--tls-cert-file', fileOf(secret, 'tls.crt'), '--tls-key-file', fileOf(secret, 'tls.key')]
    const ca = ['--tls-ca-cert-file', fileOf(secret, 'ca.crt'), '--tls-auth-clients', 'no']
    await start('redis-server', [
      '--bind',
      '127.0.0.1',
      '--port',
      '0',
      '--tls-port',
      String(port),
      ...keys,
      ...ca,
      '--save',
      '',
    ])
    const url = `rediss://127.0.0.1:${port}`
    const client = new Redis(url, { ...redisTls(url, authority), retryStrategy: () => 50, maxRetriesPerRequest: 0 })
    const seen: string[] = []
    client.on('ready', () => seen.push('ready'))
    client.on('error', (error) => seen.push(error.message))
    try {
      await eventually(() => seen.some((one) => !one.includes('ECONNREFUSED')))
    } finally {
      client.disconnect()
    }
    return seen.findLast((one) => !one.includes('ECONNREFUSED'))
  }
  expect(await answersOf('good')).toBe('ready')
  expect(await answersOf('ended')).toMatch(/certificate has expired/)
})
