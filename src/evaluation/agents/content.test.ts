import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { AGENT_KINDS, agentHash } from './choose-agent.ts'

const root = mkdtempSync(join(tmpdir(), 'backlot-content-'))
afterAll(() => rmSync(root, { recursive: true }))
let count = 0

/** Writes files, and returns whether a change of one changes the hash of an agent. */
function changes(agent: (folder: string) => string, files: Readonly<Record<string, string>>, changed: string): boolean {
  const folder = join(root, String(++count))
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const before = agentHash(agent(folder), {})
  expect(before).toBe(agentHash(agent(folder), {}))
  write(changed, `${files[changed] ?? ''} `)
  return agentHash(agent(folder), {}) !== before
}

describe('[EV43] the content of an agent', () => {
  const module = {
    'agent.mjs': "import './steps/click.js'\nconst text = new URL('./prompt.txt', import.meta.url)\n",
    'steps/click.js': "export { wait } from '../wait'\nconst later = () => import('./later.mjs')\n",
    'steps/later.mjs': '',
    'wait.ts': '',
    'prompt.txt': 'Log in.',
    'other.mjs': '',
  }
  const python = {
    'run.py': 'import os, tools.mouse\nfrom keys import press\nfrom tools import (\n  eyes)\n',
    'keys.py': 'from .names import *\n',
    'names.py': '',
    'tools/__init__.py': '',
    'tools/mouse.py': '',
    'other.py': '',
  }

  it.each([
    ['agent.mjs', true],
    ['steps/click.js', true],
    ['steps/later.mjs', true],
    ['wait.ts', true],
    ['prompt.txt', true],
    ['other.mjs', false],
  ])('is a module and the files that it names below its folder: %s', (file, isPart) => {
    expect(changes((folder) => join(folder, 'agent.mjs'), module, file)).toBe(isPart)
  })

  it.each([
    ['run.py', true],
    ['keys.py', true],
    ['names.py', true],
    ['tools/mouse.py', true],
    ['tools/__init__.py', true],
    ['other.py', false],
  ])('is the files that a command names, with those that they import: %s', (file, isPart) => {
    expect(changes((folder) => `python "${join(folder, 'run.py')}" --fast`, python, file)).toBe(isPart)
    expect(changes((folder) => `cd ${folder} && KEY=1 python -m run`, python, file)).toBe(isPart)
  })

  it('is the value of an option, a trace, and the model and its dialect', () => {
    expect(changes((folder) => `agent --config=${join(folder, 'a.json')}`, { 'a.json': '{}' }, 'a.json')).toBe(true)
    expect(changes((folder) => `replay ${folder}`, { 'trace.jsonl': '{}' }, 'trace.jsonl')).toBe(true)
    expect(agentHash('model', { BACKLOT_MODEL: 'a' })).not.toBe(agentHash('model', { BACKLOT_MODEL: 'b' }))
    expect(agentHash('model a', {})).toBe(agentHash('model', { BACKLOT_MODEL: 'a' }))
    expect(agentHash('model a', { BACKLOT_MODEL_DIALECT: 'gemini' })).not.toBe(agentHash('model a', {}))
    expect([agentHash('noop', {}), agentHash('no-such-command', {})]).toEqual([null, null])
  })
})

it('[EV45] the guide lists every kind of agent, as it is written', () => {
  const [, table = ''] = readFileSync(new URL('../../../docs/evaluate.md', import.meta.url), 'utf8').split(
    '| `--agent` |',
  )
  const cells = table.split('\n\n')[0]!.split('\n').slice(2)
  expect(cells.map((line) => line.split(' | ')[0]!.replace(/[`|]/g, '').trim())).toEqual(
    AGENT_KINDS.map(({ syntax: name }) => name),
  )
})
