import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'

/** What the summary of `.ci/run` reads about a test file: a line of JSON each. */
export interface FileTime {
  readonly file: string
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The title by which `-t` finds a test: those of its suites and its own. */
function titleOf(test: TestCase | TestSuite): string {
  return test.parent.type === 'module' ? test.name : `${titleOf(test.parent)} ${test.name}`
}

/** The command that runs one test again, as the run that failed did. */
export function repeatCommand(
  config: string,
  file: string,
  title: string,
  share = process.env.BACKLOT_TEST_SHARE,
): string {
  const pattern = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "'\\''")
  const how = config === 'vitest.config.ts' ? '' : ` --config ${config}`
  return `${share ? `BACKLOT_TEST_SHARE=${share} ` : ''}npx vitest run${how} ${file} -t '^${pattern}$'`
}

/**
 * Names the share that a run plays, and after a failure the command that repeats it. With BACKLOT_TEST_TIMES it appends the
 * seconds of each test file to that file.
 */
export function backlotReporter(): Reporter {
  let vitest: Vitest
  const pathOf = (path: string) => relative(vitest.config.root, path)
  return {
    onInit(context) {
      vitest = context
      const share = process.env.BACKLOT_TEST_SHARE
      if (share) vitest.logger.log(`The suites with many cases play the share ${share} (BACKLOT_TEST_SHARE).`)
    },
    onTestRunEnd(modules) {
      const times = process.env.BACKLOT_TEST_TIMES
      if (times) appendFileSync(times, modules.map((module) => `${JSON.stringify(timeOf(module))}\n`).join(''))
      const failed = modules.flatMap((module) => [...module.children.allTests('failed')])
      if (failed.length === 0) return
      const config = pathOf(vitest.vite.config.configFile || 'vitest.config.ts')
      const lines = failed.map((test) => `  ${repeatCommand(config, pathOf(test.module.moduleId), titleOf(test))}`)
      vitest.logger.log(`To repeat what failed:\n${lines.join('\n')}\n`)
    },
  }

  function timeOf(module: TestModule): FileTime {
    const { duration, collectDuration, setupDuration } = module.diagnostic()
    const states = [...module.children.allTests()].map((test: TestCase) => test.result().state)
    const count = (state: string) => states.filter((each) => each === state).length
    return {
      file: pathOf(module.moduleId),
      seconds: (duration + collectDuration + setupDuration) / 1000,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
    }
  }
}
