import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts the secrets of webhooks under the key of the deployment. What it returns says under which key, and nothing else. */
export interface SecretBox {
  /** Name of the key under which `seal` encrypts. */
  readonly keyName: string
  /** Encrypts the secret of a webhook; the text opens for that webhook alone. */
  seal(webhookId: string, secret: string): string
  /** Returns the secret; null if neither the key nor the previous one opens it. */
  open(webhookId: string, sealed: string): string | null
}

interface Key {
  readonly name: string
  readonly bytes: Buffer
}

function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64url')
  return { name: createHash('sha256').update('webhook key ').update(bytes).digest('hex').slice(0, 8), bytes }
}

function open({ bytes }: Key, webhookId: string, text: string): string | null {
  const sealed = Buffer.from(text, 'base64url')
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, bytes, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(webhookId)).setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
  } catch {
    // Another webhook's, or changed.
    return null
  }
}

/** Returns the box of a key, which also opens what was encrypted under the previous one; keys are 32 bytes in base64url. */
export function openSecretBox(key: string, previousKey: string | null): SecretBox {
  const current = keyOf(key)
  const keys = previousKey === null ? [current] : [current, keyOf(previousKey)]
  return {
    keyName: current.name,
    seal: (webhookId, secret) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, current.bytes, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(webhookId))
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${current.name}.${sealed.toString('base64url')}`
    },
    open: (webhookId, sealed) => {
      const [name, text = ''] = sealed.split('.')
      const used = keys.find((one) => one.name === name)
      return used === undefined ? null : open(used, webhookId, text)
    },
  }
}
