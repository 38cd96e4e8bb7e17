import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestbed } from '../../src/compose/testbed.ts'
import { call } from '../../src/observer/call.ts'
import { startTestDesktop } from '../../test/support/linux/test-desktop.ts'
import { isWindowsPrepared, setUpWindows } from '../../test/support/mswindows/set-up.ts'
import { latencyTable } from './latency.ts'
import { PROGRAMS, startingAs, type TriedProgram, writeDocuments } from './programs.ts'
import { type Tried, tableOf, withGenerated } from './table.ts'
import { type ProgramAbility, type Trial, type TrialSession, whatIsSeen } from './trial.ts'

/**
 * Tries each program on private desktops of X11 and sway, and prints a table of what works. `--program NAME` and `--session NAME`
 * try fewer, `--save FILE` keeps the results, and `--read FILE` makes the table of kept ones. `--failures FOLDER` keeps a picture, the
 * windows and the elements of each step that failed. `--latency` measures steps instead, on Windows too where `npm run test:windows` has
 * set up Wine. `--write` puts the table into docs/real-desktops.md.
 */

const MAX_REASON_LENGTH = 300

/** Writes what is seen from outside after a failed step. */
function keepFailure(path: string, trial: Trial, reason: string): void {
  const { picture, windows, objects } = whatIsSeen(trial)
  writeFileSync(`${path}.png`, picture)
  writeFileSync(`${path}.txt`, [reason, ...windows, ...objects.map((each) => JSON.stringify(each))].join('\n'))
}

async function tryProgram(program: TriedProgram, session: TrialSession, failures?: string): Promise<Tried> {
  const testDesktop = await startTestDesktop({ session, width: 1280, height: 900 })
  const testbed = await createTestbed({ adapter: 'linux', env: testDesktop.desktop.env })
  const home = testDesktop.desktop.env.HOME!
  const results: Partial<Record<ProgramAbility, string>> = {}
  try {
    writeDocuments(home)
    const [first = '', ...args] = [...startingAs(program, session), ...program.command(home)]
    const opened = await testDesktop.launch(program.title, first, ...args)
    const trial: Trial = {
      session,
      home,
      env: testDesktop.desktop.env,
      window: opened.uid,
      process: opened.process,
      async ask(tool, input = {}) {
        const { body, fault } = await call(testbed.session, tool, input)
        if (fault) throw new Error(`${tool} ${JSON.stringify(input)}: ${fault.code}: ${fault.message}`)
        return body
      },
    }
    // A dialog may cover the window, and a program may go on loading; its steps show whether that matters.
    await trial.ask('bring_to_foreground', { window_uid: opened.uid }).catch(() => {})
    await trial.ask('wait_idle', { window_uid: opened.uid, timeout_ms: 10_000 }).catch(() => {})
    for (const [ability, step] of Object.entries(program.steps) as [ProgramAbility, TriedProgram['steps']['find']][]) {
      if (typeof step === 'string') continue
      results[ability] = await step(trial).then(
        () => 'yes',
        (error: Error) => error.message.slice(0, MAX_REASON_LENGTH),
      )
      if (results[ability] !== 'yes' && failures)
        keepFailure(join(failures, `${program.name}-${session}-${ability}`), trial, results[ability])
      console.error(`${session} ${program.name} ${ability}: ${results[ability]}`)
    }
  } catch (error) {
    console.error(`${session} ${program.name}: ${(error as Error).message.slice(0, MAX_REASON_LENGTH)}`)
    results.find ??= (error as Error).message
  } finally {
    await testbed.close()
    // A program that a script has started outlives the script.
    await testDesktop.endPrograms().catch(() => {})
    await testDesktop.close().catch((error: Error) => console.error(`${session} ${program.name}: ${error.message}`))
  }
  return { program: program.name, session, results }
}

const { values } = parseArgs({
  options: {
    session: { type: 'string', multiple: true, default: ['x11', 'sway'] },
    program: { type: 'string', multiple: true },
    read: { type: 'string', multiple: true },
    save: { type: 'string' },
    failures: { type: 'string' },
    latency: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const GUIDE = new URL('../../docs/real-desktops.md', import.meta.url)
const date = new Date().toISOString().slice(0, 10)

/** Prints a table, and writes it into the guide if that is wanted. */
function publish(name: string, table: string): void {
  process.stdout.write(table)
  if (values.write) writeFileSync(GUIDE, withGenerated(readFileSync(GUIDE, 'utf8'), name, table))
}

if (values.latency) {
  publish('latency', await latencyTable(date, isWindowsPrepared() ? await setUpWindows(console.error) : undefined))
  process.exit(0)
}

const chosen = PROGRAMS.filter(({ name }) => values.program?.includes(name) ?? true)
const tried: Tried[] = (values.read ?? []).flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Tried[])
if (values.failures) mkdirSync(values.failures, { recursive: true })
if (!values.read)
  for (const session of values.session as TrialSession[])
    for (const program of chosen) {
      tried.push(await tryProgram(program, session, values.failures))
      if (values.save) writeFileSync(values.save, JSON.stringify(tried, undefined, 1))
    }
// biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg fills it in.
const VERSION = '${Version}'
const versionOf = (debian: string): string =>
  spawnSync('dpkg-query', ['--show', '--showformat', VERSION, debian], { encoding: 'utf8' }).stdout ?? ''
const table = tableOf(PROGRAMS, tried, { versionOf, date })
publish('programs', table)
process.exit(0)
