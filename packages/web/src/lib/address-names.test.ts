import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanName, NAME_MAX, nameAddress, nameOf, readNames, watchNames } from './address-names.ts'

const ADDRESS = '0x00000000000000000000000000000000000000Ab'

describe('the name of an address', () => {
  test('is one line of visible text of at most 64 characters, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const name = cleanName(text)
        expect([...name].length).toBeLessThanOrEqual(NAME_MAX)
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(name).toBe(name.trim())
        expect(cleanName(name)).toBe(name)
      }),
    )
    expect(cleanName(' Cold\n\twallet \u202E\u200B')).toBe('Cold wallet')
    expect(cleanName('\u200B\u2066 ')).toBe('')
    expect([...cleanName('🦊'.repeat(80))]).toHaveLength(NAME_MAX)
  })

  test('belongs to one chain and one address, however the address is written', () => {
    const seen: (string | null)[] = []
    const stop = watchNames(() => seen.push(nameOf(1, ADDRESS)))
    nameAddress(1, ADDRESS, ' Savings ')
    expect(nameOf(1, ADDRESS.toLowerCase())).toBe('Savings')
    expect(nameOf(1, `0x${ADDRESS.slice(2).toUpperCase()}`)).toBe('Savings')
    expect(nameOf(2, ADDRESS)).toBeNull()
    nameAddress(1, ADDRESS, '\u200B')
    expect(nameOf(1, ADDRESS)).toBeNull()
    stop()
    expect(seen).toEqual(['Savings', null])
  })
})

describe('stored names', () => {
  test('are read again, and whatever else stands there is left out', () => {
    const key = `1/${ADDRESS.toLowerCase()}`
    expect(readNames(JSON.stringify({ [key]: 'A\u202Eb' }))).toEqual(new Map([[key, 'Ab']]))
    for (const other of [null, '', '[', '7', 'null', '["a"]']) expect(readNames(other)).toEqual(new Map())
    const foreign = { [key]: 7, 'x/0x1': 'a', [`1/${ADDRESS}0`]: 'b', [`a/${ADDRESS}`]: 'c' }
    expect(readNames(JSON.stringify(foreign))).toEqual(new Map())
  })
})
