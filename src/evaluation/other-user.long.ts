import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'
import { findScenario } from '../compose/gallery.ts'
import { RESULT_FILES, readResults } from './results/results-folder.ts'

/** The user `nobody`, without any group of this one. */
const AS_AGENT = 'setpriv --reuid=65534 --regid=65534 --clear-groups'

/** Why an agent cannot be run as another user here, for the title of tests that are skipped. */
const missing = (() => {
  if (process.getuid?.() !== 0) return ' (not run as root)'
  if (spawnSync('setpriv', ['--version']).status !== 0) return ' (not installed: setpriv)'
  const reads = spawnSync('sh', ['-c', `${AS_AGENT} head -c 1 "${BUNDLED_PROGRAM}"`]).status === 0
  return reads ? '' : ` (another user cannot read ${BUNDLED_PROGRAM})`
})()

const root = join(tmpdir(), `backlot-other-user-${randomUUID()}`)
/** The evaluator's folder, which the agent cannot enter. No other scenario on this machine has the name of this one. */
const own = join(root, 'own')
const scenario = join(own, `${basename(root)}.yaml`)
/** The folder of the agent. */
const home = join(root, 'home')
const agent = join(home, 'agent.mjs')

const backlot = (...words: string[]) =>
  spawnSync(process.execPath, [BUNDLED_PROGRAM, ...words], {
    cwd: own,
    encoding: 'utf8',
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: home },
  })

/** Where a shell of the agent finds the scenario. Other programs of this machine may show tokens. */
function placesFound(): readonly string[] {
  const out = join(own, 'audit')
  backlot('eval', scenario, '--audit', '--shell', AS_AGENT, '--out', out)
  const { findings } = JSON.parse(readFileSync(join(out, 'audit.json'), 'utf8')) as {
    readonly findings: readonly { readonly check: string; readonly message: string }[]
  }
  return findings.flatMap(({ message }) => message.split('\n').filter((line) => line.startsWith('the scenario')))
}

describe.skipIf(missing !== '')(`[EV32] an agent that is run as another user${missing}`, { timeout: 120_000 }, () => {
  beforeAll(() => {
    mkdirSync(root, { mode: 0o755 })
    mkdirSync(own, { mode: 0o700 })
    mkdirSync(home, { mode: 0o755 })
    copyFileSync(findScenario('login'), scenario)
    copyFileSync(fileURLToPath(new URL('../../fixtures/shell-agent/agent.mjs', import.meta.url)), agent)
  })
  afterAll(() => rmSync(root, { recursive: true }))

  it.each(['agent-desktop', 'backlot'])(
    'solves a task with %s, reports its usage, and has its sleeps counted',
    (program) => {
      const out = join(own, program)
      const usage = `echo '{"input_tokens":3,"output_tokens":4}' > "$BACKLOT_USAGE_FILE"`
      const words = `sleep 0; ${usage}; exec "${process.execPath}" "${agent}" ${program}`
      const { status, stderr } = backlot(
        ...['eval', scenario, '--agent', `${AS_AGENT} sh -c '${words.replaceAll("'", `'\\''`)}'`],
        ...['--workers', '1', '--out', out],
      )
      expect([status, stderr]).toEqual([0, ''])
      const results = readResults(join(out, RESULT_FILES.results))
      expect(results.map(({ success, end, desk, model }) => [success, end, desk?.sleeps, model])).toEqual([
        [true, 'finished', 1, expect.objectContaining({ input_tokens: 3, output_tokens: 4 })],
      ])
    },
  )

  it('finds no scenario, with a served copy in its folder', () => {
    const copies = join(home, 'copies')
    expect(backlot('eval', scenario, '--served-copy', copies).status).toBe(0)
    expect(placesFound()).toEqual([])
  })

  it('finds a scenario that was left where it can read', () => {
    const left = join(home, basename(scenario))
    copyFileSync(scenario, left)
    expect(placesFound()).toEqual([`the scenario with its solution or oracles can be read at ${left}`])
    rmSync(left)
  })
})
