import { openApi } from '@svc/edge'
import { describe, expect, test } from 'vitest'
import { arazzo } from './arazzo.ts'
import { documentOptions } from './document-options.ts'
import { arazzoFindings } from './openapi-lint.ts'

interface Step {
  readonly stepId: string
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly payload: unknown }
  readonly outputs?: Readonly<Record<string, string>>
}
interface Workflow {
  readonly workflowId: string
  readonly inputs: { readonly required: readonly string[] }
  readonly steps: readonly Step[]
  readonly outputs?: Readonly<Record<string, string>>
}

const options = documentOptions()
const document = arazzo(options)
const workflows = document['workflows'] as readonly Workflow[]
const routes = new Map(options.routes.map((route) => [route.operation.key, route]))

describe('the Arazzo document', () => {
  test("passes Spectral's rules for Arazzo, which refuse a broken one", async () => {
    expect(await arazzoFindings(document)).toEqual([])
    expect(await arazzoFindings({ ...document, workflows: [{ workflowId: 'a b', steps: [] }] })).not.toEqual([])
  })

  test('has every required input of each operation, and names only operations of the public OpenAPI document', () => {
    const described = JSON.stringify(openApi(options))
    for (const { steps } of workflows)
      for (const { operationId, parameters = [], requestBody } of steps) {
        expect(described).toContain(`"operationId":"${operationId}"`)
        if (typeof requestBody?.payload === 'string') continue
        const given = [...parameters.map(({ name }) => name), ...Object.keys(requestBody?.payload ?? {})]
        const shape = routes.get(operationId)?.operation.input.shape ?? {}
        const required = Object.entries(shape).filter(([, member]) => !member.safeParse(undefined).success)
        expect(given, operationId).toEqual(expect.arrayContaining(required.map(([name]) => name)))
      }
  })

  test('uses only inputs that a workflow declares and outputs that an earlier step has', () => {
    for (const { workflowId, inputs, steps, outputs } of workflows) {
      const known = new Set(inputs.required.map((name) => `$inputs.${name}`))
      const mustKnow = (value: unknown) => {
        for (const [used] of JSON.stringify(value ?? {}).matchAll(/\$(?:inputs|steps)\.[\w.]+/g))
          expect([...known], workflowId).toContain(used)
      }
      for (const step of steps) {
        mustKnow([step.parameters, step.requestBody])
        for (const name of Object.keys(step.outputs ?? {})) known.add(`$steps.${step.stepId}.outputs.${name}`)
      }
      mustKnow(outputs)
    }
  })

  test('reads only members that the answers have', () => {
    const examples = options.examples
    for (const { steps } of workflows)
      for (const { operationId, outputs = {} } of steps)
        for (const pointer of Object.values(outputs)) {
          const names = pointer.replace('$response.body#/', '').split('/')
          const answers = Object.entries(examples).filter(([key]) => key.split(/[. ]/)[1] === operationId)
          const found = answers.map(([, answer]) =>
            names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), answer),
          )
          expect(
            found.some((value) => value !== undefined),
            `${operationId} ${pointer}`,
          ).toBe(true)
        }
  })
})
