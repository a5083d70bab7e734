import { createHash, createPublicKey, generateKeyPairSync, verify, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Environment } from '@svc/contract'
import { parseTransaction, type Hex, type TransactionSerializableEIP1559 } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type LocalAccount } from 'viem/accounts'

type Trouble = 401 | 429 | 500 | 'closed' | 'silent' | 'other account' | 'other call' | 'not a transaction'

/** The signing route of Coinbase CDP's API on this machine: it demands both tokens and signs with a key of its own. */
export interface CdpRig {
  readonly account: LocalAccount
  readonly environment: Environment
  readonly secrets: readonly string[]
  /** Why requests were refused. */
  readonly refused: string[]
  /** Idempotency keys of the requests that were signed. */
  readonly keys: string[]
  trouble: Trouble | null
  stop(): Promise<void>
}

const ROUTE = /^\/platform\/v2\/evm\/accounts\/(0x[0-9a-fA-F]{40})\/sign\/transaction$/
const KEY_ID = '8f1d4c1e-0000-4000-8000-1234567890ab'

/** `account`: sign as this one, which must be the configured one; default one of its own. */
export async function openCdp(account: LocalAccount = privateKeyToAccount(generatePrivateKey())): Promise<CdpRig> {
  const api = generateKeyPairSync('ed25519')
  const wallet = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { d = '', x = '' } = api.privateKey.export({ format: 'jwk' })
  const apiSecret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64')
  const walletSecret = wallet.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const answers = new Map<string, Hex>()
  const stranger = privateKeyToAccount(generatePrivateKey())

  const signed = async (raw: Hex): Promise<string> => {
    const transaction = parseTransaction(raw as `0x02${string}`) as TransactionSerializableEIP1559
    if (rig.trouble === 'not a transaction') return '0x02ff'
    if (rig.trouble === 'other account') return stranger.signTransaction(transaction)
    if (rig.trouble === 'other call') return account.signTransaction({ ...transaction, data: '0xdeadbeef' })
    return account.signTransaction(transaction)
  }
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const reply = (status: number, value: unknown) =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (rig.trouble === 'closed') return void response.destroy()
      if (rig.trouble === 401 || rig.trouble === 429 || rig.trouble === 500)
        return reply(rig.trouble, {
          errorType: { 401: 'unauthorized', 429: 'rate_limit_exceeded', 500: 'internal_server_error' }[rig.trouble],
          errorMessage: `not now: ${String(request.headers.authorization)}`,
        })
      const problem = problemOf(request, body, api.publicKey, createPublicKey(wallet.privateKey), account)
      if (problem !== null) {
        rig.refused.push(problem)
        return reply(401, { errorType: 'unauthorized', errorMessage: problem })
      }
      const key = String(request.headers['x-idempotency-key'])
      rig.keys.push(key)
      const { transaction } = JSON.parse(body) as { transaction: Hex }
      const answer = answers.get(key) ?? ((await signed(transaction)) as Hex)
      if (rig.trouble === null || rig.trouble === 'silent') answers.set(key, answer)
      // Signed, and the answer is lost.
      if (rig.trouble === 'silent') return
      reply(200, { signedTransaction: answer })
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const rig: CdpRig = {
    account,
    environment: {
      HUB_RPC_URL: 'http://rpc.example',
      HUB_KEEPER_MARK_DRY_RUN: '0',
      SVC_KEEPER_CDP_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/platform`,
      SVC_KEEPER_CDP_ADDRESS: account.address,
      CDP_API_KEY_ID: KEY_ID,
      CDP_API_KEY_SECRET: apiSecret,
      CDP_WALLET_SECRET: walletSecret,
    },
    secrets: [apiSecret, walletSecret],
    refused: [],
    keys: [],
    trouble: null,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return rig
}

/** What is wrong with a request; null when it may be signed. */
function problemOf(
  { method, url = '', headers }: IncomingMessage,
  body: string,
  apiKey: KeyObject,
  walletKey: KeyObject,
  account: LocalAccount,
): string | null {
  const address = ROUTE.exec(url)?.[1]
  if (method !== 'POST' || address !== account.address) return 'no such account'
  const uri = `POST ${headers.host}${url}`
  const now = Date.now() / 1000
  const bearer = tokenOf(headers.authorization?.replace(/^Bearer /, ''), apiKey, 'EdDSA')
  if (bearer === null) return 'the bearer token is not signed by the API key'
  const { kid, sub, iss, uris, nbf, exp } = bearer
  if (kid !== KEY_ID || sub !== KEY_ID || iss !== 'cdp') return 'the bearer token is of another key'
  if (JSON.stringify(uris) !== JSON.stringify([uri])) return 'the bearer token is for another request'
  if (Number(nbf) > now + 5 || Number(exp) < now || Number(exp) > now + 300) return 'the bearer token is not of now'
  const walletAuth = tokenOf(String(headers['x-wallet-auth']), walletKey, 'ES256')
  if (walletAuth === null) return 'the wallet token is not signed by the wallet secret'
  if (JSON.stringify(walletAuth['uris']) !== JSON.stringify([uri])) return 'the wallet token is for another request'
  if (walletAuth['reqHash'] !== createHash('sha256').update(body).digest('hex'))
    return 'the wallet token is for another body'
  if (typeof headers['x-idempotency-key'] !== 'string') return 'there is no idempotency key'
  return null
}

/** Header and claims of a JWT; null unless it is signed by the key. Written without the library that the SDK signs with. */
function tokenOf(jwt: string | undefined, key: KeyObject, alg: 'EdDSA' | 'ES256'): Record<string, unknown> | null {
  const [head = '', claims = '', signature = ''] = (jwt ?? '').split('.')
  try {
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>
    const data = Buffer.from(`${head}.${claims}`)
    const good =
      header['alg'] === alg &&
      verify(
        alg === 'ES256' ? 'sha256' : null,
        data,
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      )
    return good
      ? { ...header, ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>) }
      : null
  } catch {
    return null
  }
}
