/** Words of the file of bookings. */
export const en = {
  save: 'Lots and fees (CSV)',
  hint: 'Every deposit, trade with its lot, fee, result and withdrawal, for a spreadsheet',
}

export type Words = typeof en
