import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: {
    readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[]
  }
}

const action = parse(readFileSync(new URL('./action.yml', import.meta.url), 'utf8')) as Action
const [step] = action.runs.steps

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-action-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/**
 * Runs the step as a runner does, with a fake `npx` and a fake checkout that write a summary or not, and exit with a
 * code.
 */
function run(inputs: Readonly<Record<string, string>>, ends: { readonly code: number; readonly summary?: string }) {
  const write =
    ends.summary === undefined
      ? ''
      : `mkdir -p "$REPORT/$PROTOCOL"; echo "${ends.summary}" > "$REPORT/$PROTOCOL/summary.md"\n`
  const bin = join(folder, 'backlot', 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  const certifies = `#!/bin/bash\nprintf '%s\\n' "\${@#$PWD/}" > asked\necho "\${BACKLOT_TOKEN-unset}" > token\n${write}exit ${ends.code}\n`
  const programs = { npx: certifies, npm: `#!/bin/bash\nprintf '%s\\n' "\${@#$PWD/}" > installed\n` }
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text, { mode: 0o755 })
  writeFileSync(join(bin, 'tsx'), certifies, { mode: 0o755 })
  writeFileSync(join(folder, 'shown'), '')
  const given = (expression: string) => {
    const name = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression)![1]!
    return inputs[name] ?? action.inputs[name]!.default ?? ''
  }
  const env = Object.fromEntries(Object.entries(step!.env!).map(([name, expression]) => [name, given(expression)]))
  const { status } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step!.run!], {
    cwd: folder,
    env: {
      ...env,
      PATH: `${folder}:${process.env.PATH}`,
      GITHUB_STEP_SUMMARY: 'shown',
      GITHUB_ACTION_PATH: join(folder, 'backlot', 'conformance'),
    },
  })
  const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n')
  return { status, asked: lines('asked'), token: lines('token')[0], shown: lines('shown') }
}

describe('the GitHub action', () => {
  it('passes only the given inputs, shows the summary and forwards the exit code', () => {
    const inputs = { protocol: 'navi', url: 'http://127.0.0.1:8000', profile: 'my profile.yaml' }
    expect(run(inputs, { code: 1, summary: 'navi failed' })).toEqual({
      status: 1,
      asked: [
        ...['backlot/src/cli/main.ts', 'certify', 'navi', '--report', 'conformance-report'],
        ...['--url', 'http://127.0.0.1:8000', '--profile', 'my profile.yaml'],
      ],
      shown: ['navi failed'],
      token: 'unset',
    })
    expect(readFileSync(join(folder, 'installed'), 'utf8')).toBe('ci\n--silent\n--prefix\nbacklot\n')
  })

  it('takes a published version when one is given', () => {
    const { asked } = run({ protocol: 'navi', url: 'http://127.0.0.1:8000', version: '1.2.3' }, { code: 0 })
    expect(asked.slice(0, 4)).toEqual(['--yes', 'backlot@1.2.3', 'certify', 'navi'])
  })

  it('leaves out every requirement that is to be skipped', () => {
    const skip = 'navi:file navi:flow:plan'
    const { asked } = run({ protocol: 'navi', url: 'http://127.0.0.1:8000', skip }, { code: 0 })
    expect(asked.slice(-3)).toEqual(['--skip', 'navi:file', 'navi:flow:plan'])
  })

  it('passes the token in the environment, since every process can read a command line', () => {
    const inputs = { protocol: 'navi', url: 'http://127.0.0.1:8000' }
    const tokens = [run({ ...inputs, token: 't' }, { code: 0 }), run(inputs, { code: 0 })]
    expect(tokens.map(({ asked, token }) => [asked.slice(-2), token])).toEqual([
      [['--url', 'http://127.0.0.1:8000'], 't'],
      [['--url', 'http://127.0.0.1:8000'], 'unset'],
    ])
  })

  it('passes when the suite does', () => {
    const ran = run({ protocol: 'observer', command: 'my-server --mcp' }, { code: 0, summary: 'observer passed' })
    expect([ran.status, ran.asked.slice(-2), ran.shown]).toEqual([
      0,
      ['--command', 'my-server --mcp'],
      ['observer passed'],
    ])
  })

  it('forwards the error of invalid options when no summary was written', () => {
    expect(run({ protocol: 'navi', url: 'nowhere' }, { code: 1 })).toMatchObject({ status: 1, shown: [''] })
  })
})
