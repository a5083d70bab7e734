import type { SettingDeclaration } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import type { EdgeOptions, Route } from '@svc/edge'
import { serveMcp, switchesOfTool, type Tool } from '@svc/mcp'
import type { Kit } from '@svc/service'

type Served = NonNullable<EdgeOptions['serveMore']>

/** Returns what serves the doors of agents: the tools at `/mcp`. */
export function doorOf({ settings }: Kit<typeof gateway>, routes: readonly Route[]): Served {
  const { publicUrl, version, webOrigins } = settings
  const isOn = switchReader(settings)
  const isShown = (tool: Tool) => switchesOfTool(tool).every(isOn) && (!tool.behindDoor || settings.doorEnabled)
  return (app, admission) => serveMcp(app, admission, { routes, publicUrl, version, webOrigins, isShown })
}

/** Returns a reader of switches by their declarations. Throws at once for none: the gateway must declare what it asks for. */
function switchReader(values: object): (setting: SettingDeclaration) => boolean {
  const declared: Readonly<Record<string, SettingDeclaration>> = gateway.settings
  const keys = new Map(Object.entries(declared).map(([key, { env }]) => [env, key]))
  return ({ env }) => {
    const key = keys.get(env)
    if (key === undefined) throw new Error(`the gateway does not declare ${env}`)
    const value: unknown = Reflect.get(values, key)
    return value !== false && value !== 'off' && value !== null
  }
}
