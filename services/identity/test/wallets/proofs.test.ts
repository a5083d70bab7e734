import { opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { hexToBigInt, numberToHex, parseSignature, serializeSignature, type Hex } from 'viem'
import { newWallet, openHarness, refused } from '../harness.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const LIFE_MS = 300_000

const on = opened(() => openHarness())

/** The same signature with the other s, which many verifiers take for good too. */
function twisted(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: numberToHex(ORDER - hexToBigInt(s), { size: 32 }), yParity: yParity === 0 ? 1 : 0 })
}

describe.each(['session', 'key'] as const)('a proof of purpose %s is refused', (purpose) => {
  const send = (input: { wallet_address: string; signature: string; message?: string }) =>
    refused(purpose === 'session' ? on.ask.openSession(input) : on.ask.createKey(input))
  const proof = async () => {
    const { account } = await on.register()
    const { message } = await on.challenge(account.address, purpose)
    return { account, message, wallet_address: account.address, signature: await account.signMessage({ message }) }
  }

  test('when another wallet signed it', async () => {
    const { wallet_address, message } = await proof()
    const signature = await newWallet().signMessage({ message })
    expect(await send({ wallet_address, signature })).toMatchObject({ status: 401, code: 'signature_invalid' })
  })

  test('when the signature is the malleable twin', async () => {
    const { wallet_address, signature } = await proof()
    expect(await send({ wallet_address, signature: twisted(signature) })).toMatchObject({
      status: 401,
      code: 'signature_malleable',
    })
  })

  test('when the message differs from the one we wrote', async () => {
    const { wallet_address, message, account } = await proof()
    const other = `${message}\nRequest ID: 7`
    const signature = await account.signMessage({ message: other })
    expect(await send({ wallet_address, signature, message: other })).toMatchObject({
      status: 401,
      code: 'message_mismatch',
    })
  })

  test('when it has expired', async () => {
    const { wallet_address, signature } = await proof()
    on.clock.advance(LIFE_MS)
    expect(await send({ wallet_address, signature })).toMatchObject({ status: 401, code: 'message_expired' })
  })
})
