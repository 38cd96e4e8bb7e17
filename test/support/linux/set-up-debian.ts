import type { TestProject } from 'vitest/node'
import { type DebianTesting, debianTesting } from './debian-testing.ts'

declare module 'vitest' {
  interface ProvidedContext {
    debianTesting: DebianTesting
  }
}

/** Vitest calls this before the tests on desktops of Debian's development release. Without its root they are left out. */
export async function setup(project: TestProject): Promise<void> {
  const log = (line: string) => process.stdout.write(`${line}\n`)
  const testing = await debianTesting(log)
  if ('reason' in testing) log(`desktops: nothing is tested, since ${testing.reason}`)
  project.provide('debianTesting', testing)
}
