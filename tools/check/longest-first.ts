import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long for their size. One of them at the end of a project would keep one core busy alone. */
const LONG_FOR_THEIR_SIZE = [
  'tools/flow/contract/contract.test.ts',
  'tools/flow/market-days.test.ts',
  'tools/flow/soak/soak.test.ts',
  'tools/flow/start-command.test.ts',
  'tools/flow/paid-reads.test.ts',
  'packages/mcp/test/hostile.test.ts',
  'packages/chain/test/logs.test.ts',
  'packages/chain/test/forged.test.ts',
  'tools/new-service/new-service.test.ts',
  'tools/generate/openapi.test.ts',
  'tools/dev/image-contents.test.ts',
  'tools/manifest-runner/overlay.test.ts',
  'tools/k8s-verify/k8s-verify.test.ts',
  'packages/web/test/e2e/figures.e2e.ts',
  'packages/web/test/e2e/states.e2e.ts',
  'packages/web/test/e2e/every-page.e2e.ts',
]

/** Starts the longest files of each project first. A fresh checkout knows no times, so vitest goes by sizes there. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project)
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG_FOR_THEIR_SIZE.some((path) => moduleId.endsWith(`/${path}`))
    return [...projects.values()].flatMap((ofProject) => [
      ...ofProject.filter(isLong),
      ...ofProject.filter((file) => !isLong(file)),
    ])
  }
}
