import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { RESULT_FILES } from '../../evaluation/results/results-folder.ts'
import { evalCommand } from './eval.ts'

const docs = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, unknown>>
}

/** The words of a command line with double quotes. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)

describe('the workflow of docs/examples', () => {
  const text = docs('examples/evaluate.yml')
  const steps: readonly Step[] = parse(text).jobs.evaluate.steps
  const stepOf = (part: string) => steps.find(({ run, uses }) => `${run} ${uses}`.includes(part))!

  it('is the one that the guide shows', () => {
    expect(docs('evaluate.md')).toContain(`\`\`\`yaml\n${text}\`\`\``)
  })

  it('runs a command that the program accepts', async () => {
    const [npx, isLocal, program, name, ...words] = wordsOf(stepOf('backlot eval').run!)
    expect([npx, isLocal, program, name]).toEqual(['npx', '--no-install', 'backlot', 'eval'])
    const given: unknown[] = []
    const command = evalCommand()
      .exitOverride()
      .action((...parsed) => void given.push(...parsed.slice(0, 2)))
    await command.parseAsync(words, { from: 'user' })
    expect(given).toEqual([
      ['login', 'form', 'shop'],
      expect.objectContaining({ agent: 'node agent.mjs', runs: 3, minSuccess: 0.8, out: 'results' }),
    ])
    const unknown = evalCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
    await expect(unknown.parseAsync([...words, '--min-sucess', '1'], { from: 'user' })).rejects.toThrow(
      'unknown option',
    )
  })

  it('installs before it runs, and never asks a registry for the program', () => {
    const install = steps.findIndex(({ run }) => run === 'npm ci')
    const first = steps.findIndex(({ run }) => run?.includes('npx'))
    expect(install).toBeGreaterThan(0)
    expect(first).toBeGreaterThan(install)
    for (const { run = '' } of steps) expect(run).not.toMatch(/npx (?!--no-install )/)
  })

  it('shows the summary and keeps the results of a failed evaluation', () => {
    expect(stepOf('GITHUB_STEP_SUMMARY')).toMatchObject({
      if: expect.stringMatching(/^always\(\)/),
      run: `cat results/${RESULT_FILES.markdown} >> "$GITHUB_STEP_SUMMARY"`,
    })
    expect(stepOf('upload-artifact')).toMatchObject({ if: 'always()', with: { path: 'results' } })
    expect(stepOf('setup-node')).toMatchObject({ with: { 'node-version': 20 } })
  })
})
