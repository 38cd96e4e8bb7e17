import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { loadScenario } from '../../compose/preview.ts'
import { recordSolution } from '../../compose/verify/recorded-solution.ts'
import { openAttempt } from '../adversaries/attempt.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { servedText, writeServedCopies } from './served-copy.ts'
import { searchAsAgent } from './shell-search.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-shell-search-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SCENARIO = 'name: lock # the code is 4930\nsolution: []\noracles: {success: []}\nstates: {}\n'
let count = 0

/** A machine of an agent: its home with files, and its processes with their words and variables. */
function machine(files: Readonly<Record<string, string>>, processes: readonly (readonly [string, string])[] = []) {
  const root = join(folder, `machine ${++count}`)
  const home = join(root, 'home')
  mkdirSync(home, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
  for (const [index, [words, variables]] of [['init', 'A=1'] as const, ...processes].entries()) {
    const at = join(root, 'proc', String(index + 1))
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, 'cmdline'), words.replaceAll(' ', '\0'))
    writeFileSync(join(at, 'environ'), variables.replaceAll(' ', '\0'))
  }
  return { home, folders: [`'${home}'`], processes: join(root, 'proc') }
}

const search = ({ home, ...places }: ReturnType<typeof machine>, shell = '', file = join(home, 'lock.yaml')) =>
  searchAsAgent({ shell, files: [file], seed: 7, ...places })

describe('[EV83] a shell of the agent', () => {
  it('finds nothing where there is nothing', async () => {
    const clean = machine({ 'lock.yaml': servedText('lock.yaml', SCENARIO), 'notes.txt': 'oracles: none' }, [
      ['node backlot.js serve --scenario copies/lock/lock.yaml', 'BACKLOT_TOKEN=mine'],
    ])
    expect(await search(clean)).toEqual([])
  })

  it('finds the scenario where it is, and copies of it', async () => {
    const { home, ...places } = machine({ 'lock.yaml': SCENARIO })
    const found = `the scenario with its solution or oracles can be read at ${home}/lock.yaml`
    expect(await search({ home, ...places })).toEqual([found])
    expect(await search({ home, ...places }, '', '/elsewhere/lock.yaml')).toEqual([found])
  })

  it.each([
    ['a token on a command line', ['serve --harness-token judge', ''], 'a token is in the command line of process 2'],
    ['its own token there', ['serve --token=judge', ''], 'a token is in the command line of process 2'],
    [
      'the token of another server there',
      ['serve --adapter remote --remote-token=judge', ''],
      'a token is in the command line of process 2',
    ],
    [
      'a token in an environment',
      ['serve', 'HOME=/ BACKLOT_HARNESS_TOKEN=judge'],
      'the token of the harness is in the environment of process 2',
    ],
  ] as const)('finds %s', async (_, process, found) => {
    expect(await search(machine({}, [process]))).toEqual([found])
  })

  it('finds the seed where it has the scenario', async () => {
    const seeded = [['backlot eval lock --seeds 7..9', '']] as const
    expect(await search(machine({}, seeded))).toEqual([])
    expect((await search(machine({ 'lock.yaml': SCENARIO }, seeded))).at(-1)).toBe(
      'the seed is in the command line of process 2',
    )
    const other = [['backlot serve --seed 70', '']] as const
    expect(await search(machine({ 'lock.yaml': SCENARIO }, other))).toHaveLength(1)
  })

  it('finds a token in its own environment', async () => {
    expect(await search(machine({}), 'env BACKLOT_HARNESS_TOKEN=judge')).toEqual([
      'the token of the harness is in the environment of the agent',
    ])
  })

  it('is not proven where it does not run', async () => {
    expect(await search(machine({}), 'exit 3; ')).toEqual([
      'the search did not run to its end with --shell "exit 3; ": it ended with code 3',
    ])
  })
})

describe('[EV86] a search', () => {
  const file = join(folder, 'left-behind')
  const state = () =>
    spawnSync('ps', ['-o', 'stat=', '-p', readFileSync(file, 'utf8').trim()], { encoding: 'utf8' }).stdout
  const waitForStart = () => vi.waitFor(() => expect(existsSync(file) && readFileSync(file, 'utf8')).toContain('\n'))
  const waitForEnd = () => vi.waitFor(() => expect(state().replace(/^Z.*/s, '')).toBe(''))
  afterEach(() => rmSync(file))

  it('ends with all its processes when it takes too long', async () => {
    const limit = new AbortController()
    const { processes, folders } = machine({})
    const shell = `sleep 1000 & echo $! > '${file}'; wait; `
    const answer = searchAsAgent({ shell, files: ['lock.yaml'], seed: 7, processes, folders, deadline: limit.signal })
    await waitForStart()
    limit.abort()
    expect(await answer).toEqual([
      `the search did not run to its end with --shell ${JSON.stringify(shell)}: it did not end within 60 s`,
    ])
    await waitForEnd()
  })

  it('does not wait for a process that its shell leaves behind', async () => {
    expect(await search(machine({}), `sleep 1000 & echo $! > '${file}'; `)).toEqual([])
    await waitForEnd()
  })
})

describe('[EV84] a served copy', () => {
  it('has neither solution nor oracles, scripts or comments', () => {
    expect(servedText('lock.yaml', `${SCENARIO}agent: {turns: []}\nmodel: {}\nsolutions: {}\n`)).toBe(
      'name: lock\nstates: {}\n',
    )
    expect(servedText('about.txt', 'solution: 4930')).toBe('solution: 4930')
  })

  it('[EV85] spells every scalar as its scenario does', () => {
    const spellings =
      'vars: {a: 4.0, b: 0x1F, c: 007, d: .5, e: 1e3, f: "4", g: 12345678901234567890, h: TRUE, i: ~, j: +5}\n'
    expect(servedText('spellings.yaml', `# why\n${spellings}solution: []\n`)).toBe(
      spellings.replace('{', '{ ').replace('}', ' }'),
    )
    expect(servedText('empty.yaml', 'vars:\n  none:\n')).toBe('vars:\n  none: ~\n')
  })

  it('[EV85] keeps what aliases of withheld sections stand for, and withholds what is merged', () => {
    expect(servedText('aliases.yaml', 'solution: &code [4930, &last 1]\nvars: {b: *last, a: *code, c: *code}\n')).toBe(
      'vars: { b: &last 1, a: &code [ 4930, &last 1 ], c: *code }\n',
    )
    expect(servedText('merge.yaml', 'base: &base {name: lock, oracles: {}}\n<<: *base\n')).toBe(
      'base: &base { name: lock }\n<<: *base\n',
    )
  })

  it('behaves as its scenario does, with all that it includes', async () => {
    const copies = join(folder, 'copies')
    const paths = await writeServedCopies(await loadSuite(['login', 'office'], {}), copies)
    expect([...paths.keys()]).toEqual(['login', 'office'])
    for (const [task, path] of paths) {
      const [scenario, copy] = [await loadScenario(task), await loadScenario(path)]
      expect([copy.solutions, copy.oracles.success, copy.agent]).toEqual([[], [], undefined])
      const [solution] = scenario.solutions
      const { calls } = await recordSolution(scenario, solution!)
      const answers = async (played: typeof scenario) => {
        const attempt = openAttempt(played)
        const outcomes = []
        for (const { tool, args } of calls) outcomes.push(await attempt.call(tool, args))
        return outcomes.map(({ body, fault }) => [body.changed, body.after, fault?.code])
      }
      expect(await answers(copy)).toEqual(await answers(scenario))
    }
    expect(readFileSync(join(copies, 'office/office/request.yaml'), 'utf8')).not.toContain('#')
    await expect(writeServedCopies(await loadSuite(['login'], {}), copies)).rejects.toThrow('is there already')
  })
})
