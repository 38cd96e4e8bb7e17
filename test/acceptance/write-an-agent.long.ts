import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { FAULTS, type FaultCode } from '../../src/base/fault.ts'
import { PACKAGE } from '../../src/compose/package.ts'
import { createTestbed } from '../../src/compose/testbed.ts'
import { parseSelector } from '../../src/desktop/tree/selector.ts'
import { ALL_TOOLS, toolsFor } from '../../src/observer/registry.ts'
import { status } from '../../src/protocols/observer-rest/translate.ts'
import { BUNDLED_PROGRAM } from '../support/cli/bundled-program.ts'

const guide = readFileSync(join(PACKAGE, 'docs/write-an-agent.md'), 'utf8')
const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide)![1]!

/** The text from a heading to the next one. */
const section = (heading: string): string => guide.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
const code = (markdown: string): readonly string[] => [...markdown.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A file in its own folder that exists during the test. */
function writtenTo(folder: string, name: string, contents: string): string {
  const at = mkdtempSync(join(folder, 'backlot-guide-'))
  closers.push(() => rmSync(at, { recursive: true, force: true }))
  const path = join(at, name)
  writeFileSync(path, contents)
  return path
}

async function run(command: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  closers.push(() => child.kill('SIGKILL'))
  const [output, problems, [exit]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')])
  return { output, problems, exit }
}

/** Python is optional for development. Its agent is tested where it is installed. */
const python = spawnSync('python3', ['--version']).status === 0

describe('the guide for agents', () => {
  it.runIf(python)('has an agent in Python that solves its scenario', async () => {
    const testbed = await createTestbed({ scenario: join(PACKAGE, 'scenarios/login.yaml'), tools: 'agent' })
    closers.push(() => testbed.close())
    const { url } = await testbed.serveRest({ port: 0, harnessToken: 'judge' })
    const agent = writtenTo(tmpdir(), 'agent.py', block('python'))
    const { output, problems, exit } = await run('python3', [agent], { env: { ...process.env, BACKLOT_URL: url } })
    expect([exit, problems]).toEqual([0, ''])
    expect(
      output
        .trimEnd()
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      'click_element changed',
      'type_text changed',
      'click_element changed',
      'type_text changed',
      'click_element changed',
      'finish',
    ])
    const info = `${url}/api/tool/session_info`
    expect((await fetch(info)).status).toBe(403)
    expect(await (await fetch(info, { headers: { 'x-harness-token': 'judge' } })).json()).toMatchObject({
      reward: 1,
      finished: { status: 'done' },
    })
  })

  it('has an agent for MCP that runs to completion', { timeout: 60_000 }, async () => {
    // The SDK must be resolvable.
    const agent = writtenTo(join(PACKAGE, 'node_modules'), 'agent.mjs', block('js'))
    const { output, problems, exit } = await run(process.execPath, [agent, process.execPath, BUNDLED_PROGRAM], {
      cwd: PACKAGE,
    })
    expect([exit, problems.includes('Error')]).toEqual([0, false])
    expect(output).toMatch(/^\d\d tools\n/)
    expect(output).toMatch(/list_windows .*Acme — Welcome/)
  })

  it('lists every tool under its audience', () => {
    const listed = section('Agent and harness')
    const names = new Set<string>(ALL_TOOLS.map(({ name }) => name))
    const [table = '', rest = ''] = listed.split('The rest is for the harness:')
    const named = (markdown: string) => code(markdown).filter((word) => names.has(word))
    const agent: readonly string[] = toolsFor('agent', { page_tools: true }).map(({ name }) => name)
    expect(named(table).sort()).toEqual([...agent].sort())
    expect(named(rest).sort()).toEqual([...names].filter((name) => !agent.includes(name)).sort())
  })

  it('shows valid selectors', () => {
    const rows = section('Selectors').match(/^\| `.*$/gm) ?? []
    const selectors = rows.flatMap((row) => code(row.slice(0, row.indexOf(' | '))))
    expect(selectors.length).toBeGreaterThan(12)
    for (const selector of selectors) expect(() => parseSelector(selector)).not.toThrow()
  })

  it('lists every error code of the observer with its status and remedy', () => {
    // Codes that only the agent protocols return.
    const elsewhere: readonly FaultCode[] = ['Conflict', 'EventsEvicted']
    const rows = Object.entries(FAULTS)
      .filter(([code]) => !elsewhere.includes(code as FaultCode))
      .map(([code, row]) => {
        const remedy = 'remedy' in row ? `\`${row.remedy}\`` : ''
        return `| \`${code}\` | ${status[code as FaultCode]} | ${row.retry ? 'yes' : 'no'} | ${remedy} | ${row.message} |`
      })
    const [, table = ''] = guide.split('<!-- error codes -->')
    expect(table.split('\n\n')[0]!.trim().split('\n').slice(2)).toEqual(rows)
  })
})
