import { jsonSchema, type Route } from '@svc/edge'

/** Calls with which an agent starts to trade inside limits, in order, by the key of their operation. */
const STARTING = [
  ['requestNonce', 'Get the message that your wallet signs; the purpose is "register".'],
  ['registerAgent', 'Register with its signature, and keep the key that is shown once.'],
  [
    'pairAgent',
    'Send the pairing code that your owner gives you. Orders in the venue account of your owner need scope tx: only your owner grants it to your key, on the page /ui/agent.',
  ],
  ['listOffers', 'Read the mandates that owners offer you.'],
  ['acceptMandate', 'Accept one: its owner sees that you agreed.'],
  ['listMarkets', 'Read what each market trades, and the parameters of its calls with their units.'],
  ['simulateExecution', 'Ask what the vault would say to a call that may spend amount_usdc, without sending anything.'],
  [
    'prepareExecution',
    'Name market, action and its parameters; get the call to sign and send with your own wallet. approve_amount_usdc is what it may spend.',
  ],
] as const

/** One step of the start. */
export interface Step {
  readonly n: number
  readonly what: string
  readonly call: string
  /** Members of the query or body that the call cannot do without. */
  readonly needs: readonly string[]
  readonly tool: string | null
}

/** Returns the first steps as routes and tools. Throws if an operation is gone: the door would lead nowhere. */
export function stepsOf(routes: readonly Route[]): Step[] {
  return STARTING.map(([key, what], index) => {
    const route = routes.find(({ operation }) => operation.key === key)
    if (route === undefined) throw new Error(`the door names the operation ${key}, which no contract declares`)
    const call = `${route.method} ${route.path}`
    return { n: index + 1, what, call, needs: neededBy(route), tool: route.operation.tool ?? null }
  })
}

function neededBy({ path, operation }: Route): string[] {
  const { required = [] } = jsonSchema(operation.input, 'input') as { readonly required?: readonly string[] }
  return required.filter((name) => !path.includes(`{${name}}`))
}
