/** Returns why a text may not be stored and shown to a reviewer; null if it may. */
export function textProblem(text: string): { readonly code: string; readonly detail: string } | null {
  if (!text.isWellFormed()) return { code: 'bad_unicode', detail: 'contains a lone surrogate' }
  // Cc: controls with NUL and line breaks. Cf: bidi controls, zero-width and other invisible marks.
  const odd = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u.exec(text)
  if (odd !== null) {
    const point = (odd[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return { code: 'bad_unicode', detail: `contains the control or invisible character U+${point}` }
  }
  if (text !== text.normalize('NFC')) return { code: 'bad_unicode', detail: 'is not in Unicode normal form C' }
  if (text !== text.trim()) return { code: 'bad_format', detail: 'starts or ends with white space' }
  if (text === '') return { code: 'required', detail: 'must not be empty' }
  return null
}
