import { describe, expect, test } from 'vitest'
import { shareTitled } from './openapi-schemas.ts'

const instant = { title: 'Instant', type: 'string', format: 'date-time', description: 'UTC' }

describe('schemas with a title', () => {
  test('are stored once under their title, nested ones included, and references keep their own descriptions', () => {
    const row = { title: 'Row', type: 'object', properties: { at: instant, title: { type: 'string' } } }
    const { parts, schemas } = shareTitled({
      a: row,
      b: [row, { ...instant, description: 'When it ends' }],
      c: instant,
    })
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(parts).toEqual({
      a: ref('Row'),
      b: [ref('Row'), { ...ref('Instant'), description: 'When it ends' }],
      c: ref('Instant'),
    })
    expect(schemas).toEqual({
      Instant: { type: 'string', format: 'date-time', description: 'UTC' },
      Row: { type: 'object', properties: { at: ref('Instant'), title: { type: 'string' } } },
    })
  })

  test('are rejected if one title names two different schemas', () => {
    expect(() => shareTitled({ a: instant, b: { ...instant, maxLength: 24 } })).toThrow('have the title Instant')
  })
})
