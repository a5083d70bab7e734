import type { Route } from '@svc/edge'

/** Calls with which an agent starts to trade inside limits, in order, by the key of their operation. */
const STARTING = [
  ['registerAgent', 'Register with the signature of a wallet and keep the key that is shown once.'],
  ['pairAgent', 'Tell the service the code that your owner shows you.'],
  ['listOffers', 'Read the mandates that owners offer you.'],
  ['acceptMandate', 'Accept one, so that its owner can sign it.'],
  ['simulateExecution', 'Ask what the vault would say to a call, without sending anything.'],
  ['prepareExecution', 'Get the call to sign and send with your own wallet.'],
] as const

/** One step of the start. */
export interface Step {
  readonly n: number
  readonly what: string
  readonly call: string
  readonly tool: string | null
}

/** Returns the first steps as routes and tools. Throws if an operation is gone: the door would lead nowhere. */
export function stepsOf(routes: readonly Route[]): Step[] {
  return STARTING.map(([key, what], index) => {
    const route = routes.find(({ operation }) => operation.key === key)
    if (route === undefined) throw new Error(`the door names the operation ${key}, which no contract declares`)
    return { n: index + 1, what, call: `${route.method} ${route.path}`, tool: route.operation.tool ?? null }
  })
}
