import { Outage } from '@svc/service'

/** Actions of one signer that wait to be sent. */
interface Line {
  closes: number
  sending: boolean
  readonly waiting: (() => void)[]
}

/** Maximum number of actions of one signer that wait; further ones are an outage. */
const WAITING_MAX = 32

/**
 * Sends the actions of a signer one after the other, so that they arrive in the order of their nonces. A close waits
 * for nothing, not even for an action that hangs; other actions wait until no close is being sent.
 */
export class SignerQueue {
  readonly #lines = new Map<string, Line>()

  async run<T>(signer: string, isClose: boolean, send: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(signer) ?? { closes: 0, sending: false, waiting: [] }
    this.#lines.set(signer, line)
    if (!isClose) await this.#turn(line)
    if (isClose) line.closes += 1
    try {
      return await send()
    } finally {
      if (isClose) line.closes -= 1
      else line.sending = false
      this.#next(signer, line)
    }
  }

  async #turn(line: Line): Promise<void> {
    if (line.waiting.length >= WAITING_MAX) throw new Outage('venue', 'too many actions of this key wait to be sent')
    if (!line.sending && line.closes === 0) {
      line.sending = true
      return
    }
    await new Promise<void>((resolve) => line.waiting.push(resolve))
  }

  #next(signer: string, line: Line): void {
    if (line.sending || line.closes > 0) return
    const next = line.waiting.shift()
    if (next === undefined) this.#lines.delete(signer)
    else {
      line.sending = true
      next()
    }
  }
}
