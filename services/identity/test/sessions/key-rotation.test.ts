import { createPrivateKey, createPublicKey } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '@svc/contract'
import { isOutage, type RunningService } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { start } from '../../src/main.ts'
import { KEEPER_SECRET, openHarness, PUBLIC_URL, SIGNING_KEY } from '../harness.ts'
import { verifyDocument } from '../verify-document.ts'

const on = opened(() => openHarness())
const NEXT_KEY = Buffer.alloc(32, 9).toString('base64url')
const TOKEN_LIFE_MS = 900_000

const privateOf = (seed: string) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(seed, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  })
const publicOf = (seed: string) => String(createPublicKey(privateOf(seed)).export({ format: 'jwk' }).x)

/** Makes owners, sessions and keepers use their tokens all the time, at whichever process answers. */
function traffic() {
  const refused: string[] = []
  const tokens = new Map<string, string>()
  let [passes, using] = [0, true]
  let problem: unknown = null
  // A request that is on its way to a process that ends is lost with it, and is sent again.
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isOutage(error)) throw error
      }
    }
  }
  const soon = () => ({ deadline: Date.now() + 1_000 })
  const used = (async () => {
    const session = await on.signIn()
    let refresh = session.answer.refresh_token
    tokens.set(session.answer.token, 'first session')
    while (using) {
      const currentDate = on.clock.now()
      const next = await again(() => on.ask.refreshSession({ refresh_token: refresh }, soon()))
      refresh = next.refresh_token
      const keeper = await again(() => on.ask.mintServiceToken({ client_secret: KEEPER_SECRET }, soon()))
      tokens.set(next.token, `session of pass ${passes}`)
      tokens.set(keeper.token, `keeper of pass ${passes}`)
      const { keys } = await again(() => on.ask.listSigningKeys({}, soon()))
      const verifying = { issuer: PUBLIC_URL, audience: PUBLIC_URL, currentDate }
      await jwtVerify(next.token, createLocalJWKSet({ keys: [...keys] }), verifying).catch((error: unknown) =>
        refused.push(`by the published keys: ${String(error)}`),
      )
      const isLive = (token: string) => Number(decodeJwt(token).exp) * 1000 > on.clock.now().getTime()
      const live = [...tokens].filter(([token]) => isLive(token))
      // The clock may have passed the end of all of them in the middle of this pass.
      for (const part of [live.slice(0, 4), live.slice(-12)].filter(({ length }) => length > 0)) {
        const credentials = part.map(([token]) => ({ kind: 'token' as const, token }))
        const { callers } = await again(() => on.ask.resolveCredentials({ credentials }, soon()))
        refused.push(...part.flatMap(([token, name], at) => (callers[at] === null && isLive(token) ? [name] : [])))
      }
      passes += 1
      // The processes that are tested need the processor too.
      await delay(1)
    }
  })().catch((error: unknown) => {
    problem = error
  })
  return {
    refused,
    tokens,
    /** Waits until everything was used some times more. */
    goesOn: async () => {
      const before = passes
      await eventually(() => passes > before + 5 || problem !== null)
      expect(problem).toBeNull()
    },
    end: async () => {
      using = false
      await used
    },
  }
}

test('a signing key is replaced while tokens are used at two processes: no valid one is refused, and none of the removed key is taken', async () => {
  let second: RunningService = await start(on.environment, { clock: on.clock })
  /** Restarts one process after the other with these settings, while both are asked. */
  const roll = async (changed: Environment, users: ReturnType<typeof traffic>) => {
    await on.restart(changed)
    await users.goesOn()
    const next = await start({ ...on.environment, ...changed }, { clock: on.clock })
    await second.stop()
    second = next
    await users.goesOn()
  }
  const { jws } = await on.askAsMandates.signRecordHead({
    mandate: `mdt_${'a'.repeat(32)}`,
    seq: 1,
    hash: 'b'.repeat(64),
    chain: null,
  })
  const users = traffic()
  const [former, next] = [publicOf(SIGNING_KEY), publicOf(NEXT_KEY)]
  try {
    await users.goesOn()
    await roll({ SVC_SESSION_PREVIOUS_KEYS: next }, users)
    await roll({ SVC_SESSION_SIGNING_KEY: NEXT_KEY, SVC_SESSION_PREVIOUS_KEYS: former }, users)
    on.clock.advance(TOKEN_LIFE_MS)
    await users.goesOn()
    await roll({ SVC_SESSION_SIGNING_KEY: NEXT_KEY, SVC_SESSION_RETIRED_KEYS: former }, users)
    expect(users.refused).toEqual([])
  } finally {
    await users.end()
  }

  // Whoever still has the former key mints what it likes.
  const [newest = ''] = [...users.tokens.keys()].slice(-2)
  const issuedAt = Math.floor(on.clock.now().getTime() / 1000)
  const kidOf = (x: string, keys: readonly { readonly x: string; readonly kid: string }[]) =>
    keys.find((one) => one.x === x)?.kid ?? expect.fail(`${x} is not published`)
  const { keys } = await on.ask.listSigningKeys({})
  expect(kidOf(next, keys)).toBe(decodeProtectedHeader(newest).kid)
  const minted = await new SignJWT({ ...decodeJwt(newest), iat: issuedAt, exp: issuedAt + 900 })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: kidOf(former, keys) })
    .sign(privateOf(SIGNING_KEY))
  for (let times = 0; times < 6; times += 1) {
    expect(await on.resolveToken(newest)).not.toBeNull()
    expect(await on.resolveToken(minted)).toBeNull()
  }
  // What was signed for good can be verified for good.
  expect((await verifyDocument(on, jws)).content).toMatchObject({ seq: 1, hash: 'b'.repeat(64) })
  await second.stop()
})
