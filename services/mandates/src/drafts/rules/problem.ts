import type { FieldError } from '@svc/contract'

/** Returns the problem of a field of a draft; the detail says what the field may be. */
export const problem = (field: string, code: string, detail: string): FieldError => ({
  pointer: `/${field}`,
  code,
  detail,
})
