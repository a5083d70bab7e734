import { createHmac, generateKeyPairSync, sign, type JsonWebKey, type KeyObject } from 'node:crypto'

// Forged signatures in the compact form of RFC 7515: one set for every verifier. Nothing here is code of a verifier or of the
// signer, so that no fault is shared.

/** A signature that holds: what it says, and the key that made it. */
export interface GoodJws {
  readonly typ: string
  readonly kid: string
  readonly content: object
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const encoded = (text: string) => Buffer.from(text).toString('base64url')
const signedText = (header: string, content: string, key: KeyObject) => {
  const input = `${encoded(header)}.${encoded(content)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}
const part = (value: object) => JSON.stringify(value)

/** Returns the signature as the signer writes it. */
export const goodJws = ({ typ, kid, content, privateKey }: GoodJws): string =>
  signedText(part({ alg: 'EdDSA', typ, kid }), part(content), privateKey)

/** Returns forged signatures over the content, each with a title. A verifier refuses every one. */
export function forgedJws(good: GoodJws): readonly (readonly [title: string, jws: string])[] {
  return [...withoutTheKey(good), ...withTheKey(good)]
}

/** Values of `kid` that name a file, an address, a statement, or nothing. */
const kidsLike = (kid: string): readonly unknown[] => [
  '../../../dev/null',
  '/proc/self/environ',
  'file:///dev/null',
  'https://keys.example/jwks.json',
  "' OR '1'='1",
  `${kid}'; DROP TABLE session; --`,
  `${kid}\u0000`,
  ` ${kid}`,
  '__proto__',
  'constructor',
  '',
  null,
  0,
  true,
  [kid],
  { kid },
  undefined,
]

/** What a stranger can write. */
function withoutTheKey(good: GoodJws): [string, string][] {
  const { typ, kid, content, privateKey } = good
  const body = encoded(part(content))
  const usual = { alg: 'EdDSA', typ, kid }
  const text = signedText(part(usual), part(content), privateKey)
  const [header = '', , signature = ''] = text.split('.')
  const under = (said: object, by: string) => `${encoded(part(said))}.${body}.${by}`
  const zeros = Buffer.alloc(64).toString('base64url')
  const twice = `{"alg":"none","typ":"${typ}","kid":"${kid}","alg":"EdDSA"}`
  return [
    ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg): [string, string][] => [
      [`alg "${alg}" without a signature`, under({ ...usual, alg }, '')],
      [`alg "${alg}" with the signature of another header`, under({ ...usual, alg }, signature)],
    ]),
    ['no alg', under({ typ, kid }, signature)],
    ['an empty signature', under(usual, '')],
    ['a signature of zeros', under(usual, zeros)],
    ['the content of another header', under({ ...usual, cty: 'x' }, signature)],
    ['alg twice, the last one good', `${encoded(twice)}.${body}.`],
    ['changed content', `${header}.${encoded(part({ ...content, added: 1 }))}.${signature}`],
    ['two parts', `${header}.${body}`],
    ['five parts', `${text}.a.b`],
    ['the JSON form', part({ protected: header, payload: body, signature })],
    ...withThePublicKey(good),
    ...withAnotherKey(good),
  ]
}

/** The public key as a secret that both sides know. */
function withThePublicKey({ typ, kid, content, publicKey }: GoodJws): [string, string][] {
  const jwk = publicKey.export({ format: 'jwk' })
  const secrets: [string, string | Buffer][] = [
    ['its bytes', Buffer.from(jwk.x ?? '', 'base64url')],
    ['its base64url', jwk.x ?? ''],
    ['its PEM', publicKey.export({ format: 'pem', type: 'spki' })],
    ['its DER', publicKey.export({ format: 'der', type: 'spki' })],
    ['its JWK', part(jwk)],
  ]
  return ['HS256', 'EdDSA'].flatMap((alg) =>
    secrets.map(([what, secret]): [string, string] => {
      const input = `${encoded(part({ alg, typ, kid }))}.${encoded(part(content))}`
      const mac = createHmac('sha256', secret).update(input).digest('base64url')
      return [`alg "${alg}" over an HMAC with the public key: ${what}`, `${input}.${mac}`]
    }),
  )
}

/** A key of the stranger, which the header names in every way. */
function withAnotherKey({ typ, kid, content }: GoodJws): [string, string][] {
  const stranger = generateKeyPairSync('ed25519')
  const jwk = stranger.publicKey.export({ format: 'jwk' })
  const usual = { alg: 'EdDSA', typ, kid }
  const by = (header: object) => signedText(part(header), part(content), stranger.privateKey)
  const elsewhere: [string, object][] = [
    ['jwk', { jwk }],
    ['jku', { jku: 'https://keys.example/jwks.json' }],
    ['x5u', { x5u: 'https://keys.example/chain.pem' }],
    ['x5c', { x5c: ['MIIB'] }],
    ['jwk that replaces the kid', { jwk: { ...jwk, kid } }],
  ]
  return [
    ...['RS256', 'ES256', 'PS256', 'Ed448', 'eddsa', 'EdDSA'].map((alg): [string, string] => [
      `alg "${alg}" by another key`,
      by({ ...usual, alg }),
    ]),
    ...kidsLike(kid).map((wrong): [string, string] => [`kid ${JSON.stringify(wrong)}`, by({ ...usual, kid: wrong })]),
    ...elsewhere.flatMap(([name, more]): [string, string][] => [
      [`a key by ${name}`, by({ ...usual, ...more })],
      [`a key by ${name} without kid`, by({ alg: 'EdDSA', typ, ...more })],
    ]),
  ]
}

/** What only the signer could have signed and never writes: a reader that is lax would let it mean something else. */
function withTheKey({ typ, kid, content, privateKey }: GoodJws): [string, string][] {
  const usual = { alg: 'EdDSA', typ, kid }
  const by = (header: string) => signedText(header, part(content), privateKey)
  const [header = '', payload = '', signature = ''] = by(part(usual)).split('.')
  return [
    ['another type of content', by(part({ ...usual, typ: 'other+json' }))],
    ['no type of content', by(part({ alg: 'EdDSA', kid }))],
    ['crit of an unknown extension', by(part({ ...usual, crit: ['exp'], exp: 1 }))],
    ['an empty crit', by(part({ ...usual, crit: [] }))],
    ['a payload that is not encoded (b64)', by(part({ ...usual, b64: false, crit: ['b64'] }))],
    ['a key beside the kid', by(part({ ...usual, jwk: { kty: 'OKP' } }))],
    ['alg twice', by(`{"alg":"none","typ":"${typ}","kid":"${kid}","alg":"EdDSA"}`)],
    ['kid twice', by(`{"alg":"EdDSA","typ":"${typ}","kid":"x","kid":"${kid}"}`)],
    ['a signature with padding', `${header}.${payload}.${signature}==`],
    ['a signature with a line break', `${header}.${payload}.${signature.slice(0, 9)}\n${signature.slice(9)}`],
    ['a signature with letters that are none', `${header}.${payload}.${signature}!!`],
    ['a signature with bits behind its end', `${header}.${payload}.${withOtherEnd(signature)}`],
  ]
}

/** The last letter of 64 bytes has four bits that mean nothing. */
function withOtherEnd(base64url: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = letters.indexOf(base64url.at(-1) ?? 'A')
  return base64url.slice(0, -1) + (letters[last ^ 1] ?? '')
}

/** Published keys under which no signature of EdDSA can hold, of this id. */
export function foreignKeys(
  kid: string,
): readonly { readonly title: string; readonly key: JsonWebKey; sign(input: string): string }[] {
  const [ec, rsa] = [
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ]
  const secret = Buffer.alloc(32, 7)
  const of = (title: string, { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }) => ({
    title,
    key: { ...publicKey.export({ format: 'jwk' }), kid },
    sign: (input: string) => sign(null, Buffer.from(input), privateKey).toString('base64url'),
  })
  return [
    { ...of('EC', ec), sign: (input) => sign('sha256', Buffer.from(input), ec.privateKey).toString('base64url') },
    { ...of('RSA', rsa), sign: (input) => sign('sha256', Buffer.from(input), rsa.privateKey).toString('base64url') },
    of('Ed448', generateKeyPairSync('ed448')),
    {
      title: 'oct',
      key: { kty: 'oct', k: secret.toString('base64url'), kid },
      sign: (input) => createHmac('sha256', secret).update(input).digest('base64url'),
    },
    { title: 'nothing', key: { kid }, sign: () => '' },
  ]
}
