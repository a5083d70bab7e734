import { z } from 'zod'

const ON = /^(1|true|yes|on)$/i
const OFF = /^(0|false|no|off)$/i

const reader = (whenEmpty: boolean) =>
  z.string().transform((text, check) => {
    const word = text.trim()
    if (word === '') return whenEmpty
    if (ON.test(word)) return true
    if (OFF.test(word)) return false
    check.addIssue({ code: 'custom', message: 'must be one of 1, true, yes, on, or one of 0, false, no, off' })
    return z.NEVER
  })

/**
 * Parses a switch: `1, true, yes, on` turn it on; `0, false, no, off` and an empty text turn it off; other words are
 * rejected.
 */
export const switchWord = reader(false)

/**
 * Parses a switch that protects, such as a dry run or a hold: the words of `switchWord`, but an empty text leaves it
 * on. Only a word that means off turns it off.
 */
export const protectingSwitchWord = reader(true)
