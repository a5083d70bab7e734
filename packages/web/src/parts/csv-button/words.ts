/** Words of the button that saves a list. */
export const en = { save: 'Save as CSV' }

export type Words = typeof en
