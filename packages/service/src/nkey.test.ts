import { randomBytes } from 'node:crypto'
import { nkeyAuthenticator as reference } from '@nats-io/nats-core'
import { nkeys } from '@nats-io/nats-core/internal'
import { expect, test } from 'vitest'
import { nkeyAuthenticator } from './nkey.ts'

const newSeed = () => new TextDecoder().decode(nkeys.createUser().getSeed())

test('a challenge is answered with the same key and signature as by the client of NATS', () => {
  for (let n = 0; n < 20; n += 1) {
    const [seed, nonce] = [newSeed(), randomBytes(11).toString('base64url')]
    expect(nkeyAuthenticator(seed)(nonce)).toEqual(reference(new TextEncoder().encode(seed))(nonce))
  }
})

test('a seed that is damaged, of another kind or not a seed is refused without being repeated', () => {
  const seed = newSeed()
  const changed = `${seed.slice(0, 20)}${seed[20] === 'A' ? 'B' : 'A'}${seed.slice(21)}`
  const account = new TextDecoder().decode(nkeys.createAccount().getSeed())
  for (const bad of [changed, account, seed.slice(1), `${seed}A`, seed.toLowerCase(), ''])
    expect(() => nkeyAuthenticator(bad)).toThrow(
      /^SVC_NATS_SEED: not the nkey seed of a NATS user \(SU…\): copy it again, or make a new one\.$/,
    )
})
