import { NOTHING_HELD, type Address, type AllowedCall, type Hex, type Terms } from '@svc/limits'

const text = (value: unknown, name: string): string => {
  if (typeof value !== 'string') throw new TypeError(`the typed data lack ${name}`)
  return value
}

/**
 * Returns the terms of typed data, with which the rules judge. Throws TypeError or SyntaxError for data of another shape.
 * `approvals` false: the service holds nothing, so clause 6 asks for nothing.
 */
export function termsOfTypedData(message: Readonly<Record<string, unknown>>, approvals: boolean): Terms {
  const address = (name: string) => text(message[name], name) as Address
  const figure = (name: string) => BigInt(text(message[name], name))
  const above = figure('approvalAbove')
  const calls = Array.isArray(message['calls']) ? (message['calls'] as readonly Record<string, unknown>[]) : []
  return {
    owner: address('owner'),
    agent: address('agent'),
    feeRecipient: address('feeRecipient'),
    usdc: address('usdc'),
    legGateway: address('legGateway'),
    budget: figure('budget'),
    perTxCap: figure('perTxCap'),
    dailyCap: figure('dailyCap'),
    approvalAbove: approvals && above !== NOTHING_HELD ? above : null,
    stopLine: figure('stopLine'),
    legBudget: figure('legBudget'),
    endsAt: figure('endsAt'),
    feeBps: figure('feeBps'),
    calls: calls.map(({ target, selector }): AllowedCall => ({
      target: text(target, 'calls.target') as Address,
      selector: text(selector, 'calls.selector') as Hex,
    })),
  }
}
