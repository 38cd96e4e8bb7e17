import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../test/support/cli/run-command.ts'
import { exportCommand } from '../cli/commands/export.ts'
import { type OsworldTask, osworldTasks, secretSource } from './osworld-export.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-export-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const json = (...path: readonly string[]) =>
  JSON.parse(readFileSync(join(folder, 'evaluation_examples', ...path), 'utf8'))

/** Writes a scenario with a state. */
function written(name: string, more: string): string {
  const path = join(folder, name)
  writeFileSync(path, `states: {a: {windows: [{uid: mock:a, title: A}]}}\n${more}`)
  return path
}

/** Writes a scenario whose task depends on the seed, and is impossible with some. */
const stock = () =>
  written(
    'stock.yaml',
    `params: {stock: {between: [0, 1]}}
task: Buy one of {{ stock }}.
oracles: {success: [{kind: element_exists, selector: Button}], infeasible: {when: "{{ stock == 0 }}", reason: Sold out}}`,
  )

async function tasksOf(
  file: string,
  options: Partial<Parameters<typeof osworldTasks>[1]> = {},
): Promise<readonly OsworldTask[]> {
  const result = await osworldTasks(file, { secrets: secretSource(1), ...options })
  if ('leftOut' in result) throw new Error(result.leftOut)
  return result.tasks
}

describe('an export to OSWorld', () => {
  it('[CP1] [CP2] writes a file for each task, and the index of all', async () => {
    const path = stock()
    const run = () =>
      runCommand(exportCommand(), ['osworld', 'login', path, '--seeds', '1..2', '--secret-seed', '7', '-o', folder])
    await run()
    const { backlot } = json('test_backlot.json')
    expect(backlot).toHaveLength(4)
    const files = readdirSync(join(folder, 'evaluation_examples/examples/backlot'))
    expect(files.sort()).toEqual(backlot.map((id: string) => `${id}.json`).sort())
    const tasks = backlot.map((id: string) => json('examples/backlot', `${id}.json`))
    expect(tasks[0]).toMatchObject({ id: backlot[0], source: 'backlot', instruction: expect.stringMatching(/\w{5}/) })
    expect(tasks.map(({ instruction }: OsworldTask) => instruction)).not.toContain(expect.stringContaining('{{'))
    expect(tasks.map(({ instruction }: OsworldTask) => instruction)).toContain('Buy one of 0.')
    await run()
    expect(tasks).toEqual(backlot.map((id: string) => json('examples/backlot', `${id}.json`)))
  })

  it('[CP3] [CP4] selects the scenario and compares the score', async () => {
    const [task] = await tasksOf('login', { seeds: [5], variant: { theme: 'dark' } })
    const [step] = task!.config
    const { command } = step!.parameters
    const secret = command.at(-1)
    expect(task!.config).toHaveLength(1)
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
    expect(command).toEqual(
      `backlot select --scenario login --seed 5 --variant theme=dark --secret ${secret}`.split(' '),
    )
    expect(task!.evaluator).toEqual({
      func: 'exact_match',
      result: { type: 'vm_command_line', command: ['backlot', 'score', '--secret', secret] },
      expected: { type: 'rule', rules: { expected: '1.0' } },
    })
  })

  it('[CP5] expects FAIL where the task is impossible', async () => {
    const tasks = await tasksOf(stock(), { seeds: [1, 2, 3, 4, 5, 6, 7, 8] })
    for (const { instruction, evaluator } of tasks)
      expect(evaluator.func).toBe(instruction === 'Buy one of 0.' ? 'infeasible' : 'exact_match')
    const kinds = new Set(tasks.map(({ evaluator }) => evaluator.func))
    expect(kinds).toEqual(new Set(['exact_match', 'infeasible']))
  })

  it('[CP6] [CP7] has stable ids and random secrets', async () => {
    const once = await tasksOf('login', { seeds: [1, 2], variants: 2 })
    const again = await tasksOf('login', { seeds: [1, 2], variants: 2, secrets: secretSource() })
    const ids = once.map(({ id }) => id)
    expect(ids).toEqual(again.map(({ id }) => id))
    expect(new Set(ids).size).toBe(6)
    for (const id of ids) expect(id).toMatch(UUID)
    const secrets = [...once, ...again].map(({ config }) => config[0]!.parameters.command.at(-1))
    expect(new Set(secrets).size).toBe(12)
    const repeated = await tasksOf('login', { seeds: [1, 2], variants: 2 })
    expect(repeated).toEqual(once)
  })

  it('[CP8] leaves out what cannot be scored, with the reason', async () => {
    const reason = async (file: string) => {
      const result = await osworldTasks(file, { secrets: secretSource(1) })
      return 'leftOut' in result ? result.leftOut : undefined
    }
    const oracle = (kind: string) => `oracles: {success: [{kind: any, of: [${kind}]}]}`
    const answer = written('answer.yaml', `task: Count them.\n${oracle('{kind: answer, equals: "3"}')}`)
    expect(await reason(answer)).toContain('answer in words')
    expect(await reason(written('task.yaml', oracle('{kind: element_exists, selector: Button}')))).toBe(
      'it has no task',
    )
    expect(await reason(written('oracles.yaml', 'task: Do it.'))).toBe('it has no oracles of success')
    expect(await reason('login')).toBeUndefined()
    await expect(runCommand(exportCommand(), ['osworld', answer, '-o', folder])).rejects.toThrow('no scenario')
    await expect(reason('no-such')).rejects.toMatchObject({ code: 'ScenarioInvalid' })
  })
})
