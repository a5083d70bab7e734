/** Name of the file with a row for each test file that ran, in the folder of a run's outcomes. */
export const cpuFile = 'cpu.jsonl'
