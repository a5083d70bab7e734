import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMPONENTS, gpaOf, gradeOf, letterOf, pointsOf, stabilityOf, weightOf } from './grades.ts'

describe('grades', () => {
  it('of the recorded books are the letters in docs/method', () => {
    const books = [
      { spread: 11.4, depth: 164_000, grades: ['B+', 'B'] },
      { spread: 24.4, depth: 160_000, grades: ['B-', 'B'] },
      { spread: 36.7, depth: 274_000, grades: ['C+', 'B+'] },
      { spread: 141, depth: 1_300, grades: ['D', 'D-'] },
      { spread: 89, depth: 15, grades: ['C-', 'F'] },
      { spread: 335, depth: 109, grades: ['F', 'F'] },
      { spread: 485, depth: 0, grades: ['F', 'F'] },
    ]
    for (const { spread, depth, grades } of books)
      expect([gradeOf('spread', spread), gradeOf('depth', depth)]).toEqual(grades)
  })

  it('never get worse if the value gets better', () => {
    const value = fc.double({ min: 0, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(fc.constantFrom(...COMPONENTS), value, value, (component, a, b) => {
        const [worse, better] =
          component === 'spread' ? [Math.max(a, b), Math.min(a, b)] : [Math.min(a, b), Math.max(a, b)]
        expect(pointsOf(gradeOf(component, better))).toBeGreaterThanOrEqual(pointsOf(gradeOf(component, worse)))
      }),
    )
  })

  it('change exactly at the threshold of each letter', () => {
    expect([gradeOf('spread', 2), gradeOf('spread', 2.001), gradeOf('spread', 300), gradeOf('spread', 300.1)]).toEqual([
      'A+',
      'A',
      'D-',
      'F',
    ])
    expect([gradeOf('volume', 5e7), gradeOf('volume', 49_999_999), gradeOf('volume', 9_999)]).toEqual(['A+', 'A', 'F'])
  })
})

describe('grade point average', () => {
  it('is the weighted mean, and the weights sum to one', () => {
    expect(COMPONENTS.reduce((sum, component) => sum + weightOf(component), 0)).toBeCloseTo(1)
    expect(gpaOf({ volume: 'A', depth: 'B', spread: 'C', stability: 'F' })).toBe(2.5)
    expect(gpaOf({ volume: 'A+', depth: 'A+', spread: 'A+', stability: 'A+' })).toBe(4.3)
    expect(gpaOf({ volume: 'F', depth: 'F', spread: 'F', stability: 'F' })).toBe(0)
  })

  it('is null if any component is unknown', () => {
    for (const component of COMPONENTS)
      expect(gpaOf({ volume: 'A', depth: 'A', spread: 'A', stability: 'A', [component]: null })).toBeNull()
  })

  it('has the letter with the nearest points', () => {
    expect([letterOf(4.3), letterOf(4.16), letterOf(4.14), letterOf(2.5), letterOf(0.35), letterOf(0.34)]).toEqual([
      'A+',
      'A+',
      'A',
      'B-',
      'D-',
      'F',
    ])
  })
})

describe('stability', () => {
  it('lies between 0 and 1, and is null if a part is unknown', () => {
    const amount = fc.double({ min: 0, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), amount, amount, (zero, a, b) => {
        const stability = stabilityOf(zero, Math.max(a, b), Math.min(a, b))
        expect(stability).toBeGreaterThanOrEqual(0)
        expect(stability).toBeLessThanOrEqual(1)
      }),
    )
    expect(stabilityOf(0, 100, 70)).toBe(1)
    expect(stabilityOf(0.5, 100, 20)).toBeCloseTo(0.4)
    expect(stabilityOf(0, 0, 0)).toBe(0.5)
    expect([stabilityOf(null, 1, 1), stabilityOf(0, null, 1), stabilityOf(0, 1, null)]).toEqual([null, null, null])
  })
})
