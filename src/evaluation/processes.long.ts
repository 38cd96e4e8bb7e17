import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'
import { RESULT_FILES, readResults } from './results/results-folder.ts'

/** `backlot eval` with its processes. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'backlot-processes-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; output: string }>
}

function start(args: readonly string[]): Run {
  const child = spawn(process.execPath, [BUNDLED_PROGRAM, 'eval', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  )
  return { child, ended }
}

const out = (name: string): string => join(folder, name)
const results = (name: string) => readResults(join(out(name), RESULT_FILES.results))
const withoutTimes = (text: string) => text.replace(/"wall_?ms": ?[\d.]+/gi, '').replace(/"ended_at":"[^"]+"/g, '')
const linesOf = (name: string) => withoutTimes(readFileSync(join(out(name), RESULT_FILES.results), 'utf8'))

/** Waits for a condition that another process brings about. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}
const done = (name: string): number => (existsSync(join(out(name), RESULT_FILES.results)) ? results(name).length : 0)

/** The worker processes of an evaluation. */
const workersOf = ({ child }: Run): readonly number[] =>
  execFileSync('pgrep', ['-P', String(child.pid), '-f', 'eval-worker'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const MANY = ['login', 'form', 'notepad', 'settings', '--runs', '6', '--workers', '2']

describe('[EV57] worker processes', () => {
  it('that are killed lose and double nothing', { timeout: 120_000 }, async () => {
    const { ended } = start([...MANY, '--agent', 'solution', '--out', out('whole')])
    expect((await ended).code).toBe(0)
    const run = start([...MANY, '--agent', 'solution', '--out', out('killed')])
    for (const count of [3, 10, 17]) {
      await until(() => done('killed') >= count)
      const [first] = workersOf(run)
      process.kill(first!, 'SIGKILL')
    }
    expect(await run.ended).toMatchObject({ code: 0 })
    expect(linesOf('killed')).toBe(linesOf('whole'))
  })
})

describe('[EV59] Ctrl-C', () => {
  it('ends everything, and the same command continues', { timeout: 120_000 }, async () => {
    const args = [...MANY, '--agent', 'random', '--min-success', '0']
    const { ended } = start([...args, '--out', out('random')])
    expect((await ended).code).toBe(0)
    const run = start([...args, '--out', out('stopped')])
    await until(() => done('stopped') >= 5)
    const workers = workersOf(run)
    run.child.kill('SIGINT')
    const { code, output } = await run.ended
    expect(code).toBe(130)
    expect(output).toContain('the same command continues')
    expect(workers.filter(isAlive)).toEqual([])
    const before = done('stopped')
    expect(before).toBeLessThan(24)
    const again = start([...args, '--out', out('stopped')])
    expect(await again.ended).toMatchObject({ code: 0, output: expect.stringContaining(`continues: ${before} of 24`) })
    expect(linesOf('stopped')).toBe(linesOf('random'))
  })
})

const command = (script: string): string => {
  const file = join(folder, `agent-${Math.abs(hash(script))}.mjs`)
  writeFileSync(file, script)
  // With an argument, so that it is a command and not a module.
  return `"${process.execPath}" ${file} x`
}
const hash = (text: string): number => [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) | 0, 7)

const CLIENT = `
const { BACKLOT_URL, BACKLOT_TOKEN } = process.env
const call = async (tool, args) => {
  const response = await fetch(BACKLOT_URL + '/api/tool/' + tool, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + BACKLOT_TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  })
  return response.json()
}
`

describe('[EV59] Ctrl-C while the agent loads', () => {
  it('ends everything', { timeout: 60_000 }, async () => {
    const loading = join(folder, 'loading')
    const module = join(folder, 'hangs.mjs')
    writeFileSync(
      module,
      `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(loading)}, '')
await new Promise(() => setInterval(() => {}, 1000))
`,
    )
    const run = start(['login', '--agent', module, '--workers', '1', '--out', out('hangs')])
    await until(() => existsSync(loading))
    const workers = workersOf(run)
    run.child.kill('SIGINT')
    expect(await run.ended).toMatchObject({ code: 130 })
    expect(workers.filter(isAlive)).toEqual([])
  })
})

describe('[EV57] an episode that is given up', () => {
  it('says how its worker ended', { timeout: 60_000 }, async () => {
    const module = join(folder, 'exits.mjs')
    writeFileSync(module, `export default async () => { console.error('bye'); process.exit(3) }`)
    await start(['login', '--agent', module, '--out', out('exits')]).ended
    expect(results('exits')[0]!.message).toBe('its worker process ended 3 times, at last with code 3: bye')
  })
})

describe('[EV60] an agent that does not load', () => {
  it('has no result, and its episodes are played when it loads', { timeout: 180_000 }, async () => {
    const module = join(folder, 'throws.mjs')
    writeFileSync(module, 'throw null')
    const args = ['login', '--runs', '2', '--agent', module, '--min-success', '0', '--out', out('throws')]
    const { code, output } = await start(args).ended
    expect(code).toBe(3)
    expect(output).toContain(
      `no result of login/seed-1/run-1, login/seed-1/run-2: the agent ${module} does not load: null`,
    )
    writeFileSync(module, 'export default async () => {}')
    expect(await start(args).ended).toMatchObject({ code: 0, output: expect.stringContaining('success: 0 of 2') })
  })

  it('is named with its remedy when its format is not that of its package', { timeout: 60_000 }, async () => {
    const project = join(folder, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{"type": "commonjs"}')
    const module = join(project, 'agent.js')
    writeFileSync(module, 'export default async () => {}')
    const { code, output } = await start(['login', '--agent', module, '--out', out('commonjs')]).ended
    expect(code).toBe(3)
    expect(output).toContain(
      `${module} does not load: it is an ES module, but its name and its package.json say CommonJS; rename it to ${join(project, 'agent.mjs')}, or add "type": "module" to package.json`,
    )
  })
})

describe('[EV56] the exit code', () => {
  const named = (name: string, code: number): string => {
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, `process.exit(${code})`)
    return `"${process.execPath}" ${file} x`
  }
  const evaluated = (agent: string, name: string, ...more: readonly string[]) =>
    start(['login', '--agent', agent, '--out', out(name), ...more]).ended

  it('[EV23] is 3 while episodes have no result', { timeout: 180_000 }, async () => {
    const down = await evaluated(named('outage', 75), 'outage')
    expect(down.code).toBe(3)
    expect(down.output).toContain('no result of login/seed-1/run-1: it ended with code 75')
    expect(results('outage')).toMatchObject([{ end: 'no_result', failure: 'no_result', success: false }])
    const missing = await evaluated('no-such-program --x', 'missing')
    expect([missing.code, results('missing')[0]!.end]).toEqual([3, 'no_result'])
    const up = await evaluated(named('outage', 0), 'outage', '--min-success', '0')
    expect([up.code, results('outage').map(({ end }) => end)]).toEqual([0, ['exited']])
  })

  it('is 0 or 1 by the gates, and 2 for wrong usage', { timeout: 180_000 }, async () => {
    expect((await evaluated('solution', 'solved')).code).toBe(0)
    expect((await evaluated(named('fails', 1), 'failed')).code).toBe(1)
    for (const wrong of [
      ['no-such-scenario', '--agent', 'noop'],
      ['login'],
      ['login', '--agent', './no-such-module.mjs'],
      ['login', '--agent', 'noop', '--max-harm', 'x'],
      ['login', '--agent', 'random', '--out', out('solved')],
      ['compare', out('none'), out('solved')],
    ])
      expect((await start(wrong).ended).code).toBe(2)
  })

  it('[EV44] belongs to the content of the agent, also where nothing is played', { timeout: 180_000 }, async () => {
    const module = join(folder, 'edited.mjs')
    writeFileSync(module, 'export default async () => {}')
    const args = ['--min-success', '0'] as const
    expect((await evaluated(module, 'edited', ...args)).code).toBe(0)
    const again = await evaluated(module, 'edited', ...args)
    expect(again).toMatchObject({
      code: 0,
      output: expect.stringContaining('\nnothing was played: the results are of'),
    })
    expect(await evaluated(module, 'edited', ...args, '--fresh')).toMatchObject({
      output: expect.stringMatching(/^backlot: starts anew; the earlier results are in .*earlier-1\n/),
    })
    writeFileSync(module, "export default async () => { throw new Error('broken') }")
    const broken = await evaluated(module, 'edited', '--min-success', '1')
    expect(broken.code).toBe(1)
    expect(broken.output).toContain(`starts anew, because the files of the agent ${module} have changed`)
    expect(results('edited')[0]!.message).toContain('broken')
  })
})

describe('[EV28] a command', () => {
  it('has a complete log, of which the end is kept', { timeout: 60_000 }, async () => {
    const agent = command(`
const line = '€'.repeat(999) + '\\n'
for (let count = 0; count < 3000; count++) process.stdout.write(line)
process.stdout.write('the last line')
`)
    await start(['login', '--agent', agent, '--out', out('spam')]).ended
    const log = readFileSync(join(out('spam'), 'episodes/login/seed-1/run-1/agent.log'), 'utf8')
    expect(log).toHaveLength(1_000_000)
    expect(log.endsWith('€\nthe last line')).toBe(true)
    expect(log).not.toContain('\ufffd')
  })

  it('whose usage file is not a small file reports none', { timeout: 60_000 }, async () => {
    const agent = command(`
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const file = process.env.BACKLOT_USAGE_FILE
if (process.env.BACKLOT_EPISODE.includes('run-1')) execFileSync('mkfifo', [file])
else writeFileSync(file, JSON.stringify({ input_tokens: 1, output_tokens: 1 }).padEnd(70_000))
`)
    await start(['login', '--runs', '2', '--agent', agent, '--out', out('usage')]).ended
    expect(results('usage').map(({ model }) => model)).toEqual([null, null])
  })
})

describe('[EV26] a command', () => {
  it('finds its desktop and its task in the environment, and reports its tokens', { timeout: 60_000 }, async () => {
    const agent = command(`
import { writeFileSync } from 'node:fs'
${CLIENT}
for (const name of ['TASK', 'TASK_ID', 'EPISODE', 'SEED', 'MAX_STEPS', 'TIME_S', 'MCP_URL', 'COMPUTER_URL', 'OSWORLD_URL'])
  if (!process.env['BACKLOT_' + name]) throw new Error(name)
const user = /as (\\w+)/.exec(process.env.BACKLOT_TASK)[1]
const steps = [
  ['click_element', { selector: 'Edit "Username"' }], ['type_text', { text: user }],
  ['click_element', { selector: 'Edit "Password"' }], ['type_text', { text: 'secret' }],
  ['click_element', { selector: 'Button "Login"' }],
]
for (const [tool, args] of steps) {
  const { ok, error } = await call(tool, args)
  if (!ok) throw new Error(JSON.stringify(error))
}
const reset = await call('session_reset', {})
if (reset.error.code !== 'PermissionDenied') throw new Error('an agent can reset its desktop')
const selected = await fetch(process.env.BACKLOT_OSWORLD_URL + '/execute', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + BACKLOT_TOKEN, 'content-type': 'application/json' },
  body: JSON.stringify({ command: ['backlot', 'select', '--scenario', 'form', '--secret', 'x'.repeat(20)], shell: false }),
})
const { returncode, error } = await selected.json()
if (returncode === 0 || !error.includes('PermissionDenied')) throw new Error('an agent can select a scenario: ' + error)
if ((await fetch(process.env.BACKLOT_OSWORLD_URL + '/screenshot')).status !== 401) throw new Error('no token is needed')
writeFileSync(process.env.BACKLOT_USAGE_FILE, JSON.stringify({ input_tokens: 12, output_tokens: 3, cost_usd: 0.01 }))
`)
    const { ended } = start(['login', '--seeds', '1..3', '--agent', agent, '--workers', '2', '--out', out('command')])
    const { code, output } = await ended
    expect(output).toContain('success: 3 of 3')
    expect(output).toContain('model: 36 tokens in, 9 out, 0.03 USD')
    expect(code).toBe(0)
    const [first] = results('command')
    expect(first).toMatchObject({ end: 'exited', steps: 5, model: { input_tokens: 12 } })
  })

  it('[EV37] that has a skill is compared with itself without one', { timeout: 60_000 }, async () => {
    const agent =
      'backlot desk skills get || exit 0; backlot desk snapshot; backlot desk type e1 alice; backlot desk type e2 x; backlot desk click e3'
    const { code, output } = await start([
      ...['login', '--agent', agent, '--with-skill', '--without-skill', '--workers', '1', '--out', out('skills')],
    ]).ended
    expect(output).toContain('B: with-skill: ')
    expect(output).toContain('0 solved by A only, 1 by B only')
    expect(code).toBe(0)
    const skilled = (name: string) => results(`skills/${name}`).map(({ success, desk }) => [success, desk?.commands])
    expect([skilled('with-skill'), skilled('without-skill')]).toEqual([[[true, 4]], [[false, undefined]]])
  })

  it('[EV38] starts anew when the texts of its skill have changed', { timeout: 60_000 }, async () => {
    const skill = out('skill')
    const play = async (text: string) => {
      mkdirSync(skill, { recursive: true })
      writeFileSync(join(skill, 'SKILL.md'), text)
      const words = ['login', '--agent', 'noop', '--min-success', '0', '--with-skill', skill, '--out', out('taught')]
      return (await start(words).ended).output
    }
    await play('Look.')
    expect(await play('Look.')).toContain('nothing was played')
    expect(await play('Look first.')).toContain('starts anew, because the files of the agent noop have changed')
  })

  it('that crashes is a result with what it wrote', { timeout: 60_000 }, async () => {
    const agent = command(`console.log('before'); console.error('no key for the model'); process.exit(3)`)
    const { code } = await start(['login', '--agent', agent, '--out', out('crash')]).ended
    expect(code).toBe(1)
    const [result] = results('crash')
    expect(result).toMatchObject({ end: 'agent_error', failure: 'agent_error' })
    expect(result!.message).toContain('it ended with code 3')
    expect(result!.message).toContain('no key for the model')
    expect(readFileSync(join(out('crash'), 'episodes/login/seed-1/run-1/agent.log'), 'utf8')).toContain('before')
  })
})

describe('[EV27] a command', () => {
  const outlive = (rest: string) =>
    command(`
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
${CLIENT}
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' })
writeFileSync(${JSON.stringify(join(folder, 'pids'))}, process.pid + ' ' + child.pid)
process.on('SIGTERM', () => {})
${rest}
setInterval(() => {}, 1000)
`)
  const pids = () => readFileSync(join(folder, 'pids'), 'utf8').split(' ').map(Number)

  it('ends with its process group at the time limit', { timeout: 60_000 }, async () => {
    const { code } = await start(['login', '--agent', outlive(''), '--time-limit', '2', '--out', out('late')]).ended
    expect(code).toBe(1)
    expect(results('late')).toMatchObject([{ end: 'time_limit', failure: 'time_limit' }])
    await until(() => !pids().some(isAlive))
  })

  it('ends after finish', { timeout: 60_000 }, async () => {
    const agent = outlive(`await call('finish', { status: 'done' })`)
    await start(['login', '--agent', agent, '--out', out('finish')]).ended
    expect(results('finish')).toMatchObject([{ end: 'finished' }])
    await until(() => !pids().some(isAlive))
  })

  it('ends when its worker is killed', { timeout: 60_000 }, async () => {
    rmSync(join(folder, 'pids'))
    const run = start(['login', '--agent', outlive(''), '--time-limit', '60', '--workers', '1', '--out', out('lost')])
    await until(() => existsSync(join(folder, 'pids')) && pids().length === 2)
    const first = pids()
    process.kill(workersOf(run)[0]!, 'SIGKILL')
    await until(() => !first.some(isAlive))
    run.child.kill('SIGTERM')
    expect((await run.ended).code).toBe(130)
    await until(() => !pids().some(isAlive))
  })
})
