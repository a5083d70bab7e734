import { createPublicKey } from 'node:crypto'
import { compactVerify } from 'jose'
import type { openHarness } from './harness.ts'

/** Verifies a signed document by the keys that identity publishes; returns its content and its type. */
export async function verifyDocument({ ask }: Pick<Awaited<ReturnType<typeof openHarness>>, 'ask'>, jws: string) {
  const { keys } = await ask.listSigningKeys({})
  const { payload, protectedHeader } = await compactVerify(jws, ({ kid }) => {
    const key = keys.find((one) => one.kid === kid)
    if (key === undefined) throw new Error('the key is not published')
    return createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  })
  const { alg, typ } = protectedHeader
  return { content: JSON.parse(Buffer.from(payload).toString('utf8')) as Record<string, unknown>, alg, typ }
}
