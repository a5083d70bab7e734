import type { Flag, SettingDeclaration } from '@svc/contract'
import type { FastifyReply } from 'fastify'
import { EdgeRefusal } from './problem.ts'
import type { Route } from './routes.ts'

/** Returns true if a switch is on now. */
export type IsOn = (setting: SettingDeclaration) => boolean

/** Returns the answer of a route whose switch is off; null while it is on, and for routes without a switch. */
export function whenOff({ operation: { flag } }: Route, isOn: IsOn): Flag['whenOff'] | null {
  return flag === undefined || isOn(flag.setting) ? null : flag.whenOff
}

/** Counts a request to a route whose switch is off, and sends the declared answer or throws the declared refusal. */
export async function answerOff(
  off: Flag['whenOff'],
  count: () => void | Promise<void>,
  reply: FastifyReply,
): Promise<void> {
  await count()
  if ('code' in off) throw new EdgeRefusal(off)
  void reply.code(off.status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(off.body))
}

/**
 * Reads switches from the settings of the gateway. Throws for a switch of a route that the gateway does not declare,
 * because it would be off forever.
 */
export function switchesOf(
  routes: readonly Route[],
  declared: Readonly<Record<string, SettingDeclaration>>,
  values: object,
): IsOn {
  const keys = new Map(Object.entries(declared).map(([key, { env }]) => [env, key]))
  for (const { operation } of routes)
    if (operation.flag !== undefined && !keys.has(operation.flag.setting.env))
      throw new Error(
        `${operation.key} has the switch ${operation.flag.setting.env}, which the gateway does not declare`,
      )
  return ({ env }) => Reflect.get(values, keys.get(env) ?? '') === true
}
