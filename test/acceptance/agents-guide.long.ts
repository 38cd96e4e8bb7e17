import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { Profiles } from '../../src/agent/profiles-file.ts'
import { PHRASES } from '../../src/agent/script/builtin-script.ts'
import { parseScript, ScriptStep } from '../../src/agent/script/script.ts'
import { PACKAGE } from '../../src/compose/package.ts'
import { createTestbed } from '../../src/compose/testbed.ts'
import type { AgentProtocolName } from '../../src/protocols/registry.ts'

const read = (path: string): string => readFileSync(join(PACKAGE, path), 'utf8')
const blocks = (page: string, language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block)

const guide = read('docs/agents.md')

/** The cells of the table below a heading. */
function tableBelow(heading: string): readonly (readonly string[])[] {
  const [, after = ''] = guide.split(`## ${heading}\n`)
  const rows = after
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\w)\|(?!\w)/)
      .map((cell) => cell.trim()),
  )
}

describe('the guide to agents', () => {
  it('[AG59] lists every phrase of the built-in script', () => {
    expect(tableBelow('What to say')).toEqual(PHRASES.map(({ say, does }) => [say, does]))
  })

  it('names every step of a script', () => {
    const named = tableBelow('A script of your own').flatMap(([cell = '']) => cell.match(/\w+/g) ?? [])
    const steps = ScriptStep.options.map(({ shape }) => Object.keys(shape)[0]!)
    expect(steps.filter((step) => !named.includes(step))).toEqual([])
  })

  it('names every environment variable of WindieOS', () => {
    const heeded = ['src/compose/backends.ts', 'src/perception/open-perception.ts'].flatMap(
      (path) => read(path).match(/WINDIE\w+/g) ?? [],
    )
    const named = tableBelow('WindieOS').flatMap(([cell = '']) => cell.match(/`\w+`/g) ?? [])
    expect([...new Set(heeded)].filter((name) => !named.includes(`\`${name}\``))).toEqual([])
  })

  it('has a valid profiles file and script', () => {
    const [cast, script] = blocks(guide, 'yaml')
    expect(Profiles.parse(parse(cast!)).tools.map(({ name }) => name)).toEqual(['weather'])
    expect(parseScript(parse(script!)).turns).toHaveLength(2)
  })
})

describe('the README', () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  /** The output of a shell that runs lines of the README in its own folder, with the ports of running servers. */
  async function typed(protocol: AgentProtocolName, documented: string, containing: string): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'readme-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    symlinkSync(join(PACKAGE, 'node_modules'), join(folder, 'node_modules'))
    const testbed = await createTestbed({ dataFolder: join(folder, 'data'), env: {} })
    closers.push(testbed.close)
    const observer = await testbed.serveRest({ port: 0 })
    const backend = await testbed.serveBackend(protocol, { port: 0 })
    const lines = blocks(read('README.md'), 'sh')
      .find((block) => block.includes(documented) && block.includes(containing))!
      .replaceAll(documented, new URL(backend.url).host)
      .replaceAll('127.0.0.1:5001', new URL(observer.url).host)
    const shell = spawn('sh', ['-c', lines], { cwd: folder })
    const [printed] = await Promise.all([text(shell.stdout), once(shell, 'close')])
    return printed
  }

  it('shows a conversation over server-sent events that works as printed', async () => {
    const printed = await typed('agent-webkit', '127.0.0.1:8010', '/stream')
    const events = [...printed.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
    expect(new Set(events)).toEqual(
      new Set(['session_ready', 'message_delta', 'message_complete', 'tool_use', 'tool_result', 'result']),
    )
  })

  it('shows a conversation over a WebSocket that works as printed', async () => {
    const printed = await typed('cortask', '127.0.0.1:3777', 'ws://')
    const types = [...printed.matchAll(/type: '(\w+)'/g)].map(([, type]) => type)
    expect(types.filter((type) => /permission|tool_result|done/.test(type!))).toEqual([
      'permission_request',
      'tool_result',
      'done',
    ])
  })

  it('shows WindieOS a picture and finds a text in it, as printed', async () => {
    const printed = await typed('windieos', '127.0.0.1:8765', 'resolve-text')
    expect(JSON.parse(printed)).toMatchObject({ query: 'Word Wrap', match: { text: 'Word Wrap', score: 1 } })
  })

  it('shows a conversation with WindieOS that works as printed', async () => {
    const printed = await typed('windieos', '127.0.0.1:8765', 'ws://')
    const types = [...printed.matchAll(/type: '([\w-]+)'/g)].map(([, type]) => type)
    expect(types.slice(0, 2)).toEqual(['remote-tool-catalog', 'query-accepted'])
    expect(types.at(-1)).toBe('streaming-complete')
    expect(printed).toContain("final_response: 'The web says: Sunny, 22 degrees (weather in Lisbon)'")
  })
})
