/** Words of the file of bookings. */
export const en = {
  save: 'Transactions (CSV)',
  hint: 'All deposits, trades, lots, fees, results and withdrawals as a spreadsheet',
}

export type Words = typeof en
