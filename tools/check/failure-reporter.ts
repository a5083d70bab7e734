import type { Reporter, TestCase } from 'vitest/node'

/** Prints why a test failed at once; the default reporter prints it after the last test. */
export default class FailureReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const result = test.result()
    if (result.state !== 'failed') return
    for (const { message, stack, diff } of result.errors)
      process.stdout.write(`failed: ${test.fullName}\n${[stack ?? message, diff ?? ''].join('\n')}\n`)
  }
}
