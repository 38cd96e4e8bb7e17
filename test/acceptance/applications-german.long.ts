import { expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { applicationNames, includeForText } from '../../src/compose/applications.ts'
import { loadScenario } from '../../src/compose/preview.ts'
import { proveVariants } from '../../src/compose/variants.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import { withVariant } from '../../src/scenario/seeds.ts'
import { APPLICATION_TASKS } from '../support/prove-applications.ts'

const GERMAN = { locale: 'de' }

/** All applications in one scenario, which also shows that no two of them translate the same text. */
const ALL = `
name: all
start_time: "2026-03-09T14:30:00Z"
include: [${applicationNames().map((name) => `apps/${name}`)}]
states: {open: {windows: [${applicationNames().flatMap(windowOf)}]}}
`

function windowOf(name: string): readonly string[] {
  if (name === 'universe') return []
  if (name !== 'browser') return [`{use: ${name}-window}`]
  return ['{uid: browser, browser: {tabs: [shop.test]}, bounds: {x: 40, y: 30, width: 1200, height: 716}}']
}

/** The name of the shop stays. */
const STAYS = [/Lang LLC/]

it('[EXP36a] no text of a control of an application stays English with locale=de', () => {
  const { variantWarnings = [] } = withVariant(parseScenario(ALL, { include: includeForText }), GERMAN)
  const missing = variantWarnings.flatMap((warning) => {
    const [, listed, more] = /^locale=de: no translation of (".*")( and \d+ more)?$/.exec(warning) ?? []
    return listed === undefined || more !== undefined ? [warning] : (JSON.parse(`[${listed}]`) as readonly string[])
  })
  expect(missing.filter((text) => !STAYS.some((stays) => stays.test(text)))).toEqual([])
})

// A share plays every fourth task.
it.each(shareOf(APPLICATION_TASKS))('[EXP36a] the solution of %s passes in German', async (file) => {
  const failures: unknown[] = []
  for await (const run of proveVariants(await loadScenario(file), { seeds: [1], variant: GERMAN }))
    if (run.failure !== undefined) failures.push(run)
  expect(failures).toEqual([])
})
