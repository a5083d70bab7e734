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

describe('a message that links a wallet', () => {
  const ask = async (account_id: number, account = newWallet()) => {
    const asked = await on.askAsTrade.requestLinkNonce({ account_id, wallet_address: account.address })
    return { account, ...asked, signature: await account.signMessage({ message: asked.message }) }
  }
  const redeem = (account_id: number, signature: string, close = true) =>
    on.askAsTrade.redeemLinkNonce({ account_id, signature, close })
  const codeOf = async (call: Promise<unknown>) => (await refused(call)).code

  test('says in plain words what it is for, and names the account and the wallet', async () => {
    const { message, account, expires_at } = await ask(41)
    expect(message).toContain(
      `\n${account.address}\n\nLink the account of this wallet at the venue to account 41 here, `,
    )
    expect(message).toContain('moves no money and approves no key')
    expect(Date.parse(expires_at) - on.clock.now().getTime()).toBe(LIFE_MS)
  })

  test('is good for one use, by the account that asked alone; a look at it uses nothing up', async () => {
    const { account, signature } = await ask(42)
    expect(await codeOf(redeem(43, signature))).toBe('link_nonce_unknown')
    for (const close of [false, true])
      expect(await redeem(42, signature, close)).toEqual({ wallet_address: account.address })
    expect(await codeOf(redeem(42, signature))).toBe('link_nonce_unknown')
    const again = await ask(42, account)
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => redeem(42, again.signature)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('ends after 5 minutes', async () => {
    const { signature } = await ask(44)
    on.clock.advance(LIFE_MS)
    expect(await codeOf(redeem(44, signature))).toBe('link_nonce_unknown')
  })

  test('is refused when another wallet signed it, in a second form, and when a contract would have to check it', async () => {
    const { message, signature, account } = await ask(45)
    for (const bad of [
      await newWallet().signMessage({ message }),
      twisted(signature),
      `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}`,
      `${signature}00`,
      '0x1234',
    ])
      expect(await codeOf(redeem(45, bad))).toBe('link_signature_invalid')
    expect(await redeem(45, signature)).toEqual({ wallet_address: account.address })
  })

  test('is no proof of who calls, and a proof of who calls links nothing', async () => {
    const { signature, account } = await ask(46)
    await on.challenge(account.address, 'session')
    const proof = { wallet_address: account.address, signature }
    expect(await codeOf(on.ask.openSession(proof))).toBe('signature_invalid')
    const session = await on.prove(account, 'session')
    expect(await codeOf(redeem(46, session.signature))).toBe('link_signature_invalid')
  })

  test('stays open while the same account asks for further ones, the newest eight', async () => {
    const asked = []
    for (let n = 0; n < 9; n += 1) {
      asked.push(await ask(47))
      on.clock.advance(1)
    }
    expect(await codeOf(redeem(47, asked[0]?.signature ?? ''))).toBe('link_signature_invalid')
    for (const { account, signature } of asked.slice(1))
      expect(await redeem(47, signature)).toEqual({ wallet_address: account.address })
  })

  test('is not written for a mistyped address', async () => {
    const call = on.askAsTrade.requestLinkNonce({ account_id: 48, wallet_address: `0x${'aB'.repeat(20)}` })
    expect(await refused(call)).toMatchObject({ code: 'invalid_request', pointers: ['/wallet_address'] })
  })
})
