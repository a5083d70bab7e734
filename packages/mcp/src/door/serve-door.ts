import { common } from '@svc/contracts'
import { EdgeRefusal, type Admission, type ServedPlace } from '@svc/edge'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toolsOf, type Switched } from '../tools.ts'
import { doorBody, paymentRequired, toolList, type DoorOptions } from './door.ts'
import { skillText, type Switch } from './skill.ts'
import { skillsIndex } from './well-known.ts'

export interface ServeDoorOptions extends DoorOptions {
  /** Returns true while the door is open; read on every request. */
  readonly isOpen: () => boolean
  readonly isShown: (one: Switched) => boolean
  /** Returns the switches that the skill tells. */
  readonly switches: () => readonly Switch[]
}

const DOOR = '/hub/door'
const SKILL = '/hub/skill.md'
const TOOLS = '/hub/mcp-tools'
const SKILLS = '/.well-known/agent-skills/index.json'

/** Serves the door, the skill, the index that names it, and the list of tools. Each answers 404 while the door is closed. */
export function serveDoor(app: FastifyInstance, admission: Admission, options: ServeDoorOptions): ServedPlace[] {
  const tools = toolsOf(options.routes)
  const body = doorBody(options)
  const required = paymentRequired(options)
  const shown = () => tools.filter(options.isShown)
  const onRequest = (path: string) => async (request: FastifyRequest) => {
    if (request.state !== null) request.state.route = path
    await admission.countDocument(request)
    if (!options.isOpen()) throw new EdgeRefusal(common.notFound)
  }
  app.get(DOOR, { onRequest: onRequest(DOOR) }, (_request, reply) =>
    reply
      .code(402)
      .headers({ ...HEADERS, 'x-hub-door': 'mandate', 'payment-required': required, ...EXPOSED })
      .send(body),
  )
  const skill = () => skillText(options, shown(), options.switches())
  app.get(SKILL, { onRequest: onRequest(SKILL) }, (_request, reply) =>
    reply.headers({ ...HEADERS, 'content-type': 'text/markdown; charset=utf-8' }).send(skill()),
  )
  app.get(SKILLS, { onRequest: onRequest(SKILLS) }, (_request, reply) =>
    reply.headers(HEADERS).send(skillsIndex(skill(), `${options.apiBase}${SKILL}`)),
  )
  app.get(TOOLS, { onRequest: onRequest(TOOLS) }, (_request, reply) => reply.headers(HEADERS).send(toolList(shown())))
  return [DOOR, SKILL, SKILLS, TOOLS].map((path) => ({ path, methods: ['GET', 'HEAD'] }))
}

/** A switch shows on the next request, so nothing may keep these answers. */
const HEADERS = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' }
const EXPOSED = {
  'access-control-expose-headers': 'X-Hub-Door, PAYMENT-REQUIRED',
  link: '</.well-known/api-catalog>; rel="api-catalog"',
}
