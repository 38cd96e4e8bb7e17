import { describe, expect, it } from 'vitest'
import { agentWebkitProtocol } from '../protocols/agent-webkit/index.ts'
import { banner } from './banner.ts'
import type { ServeFlags } from './serve-flags.ts'

const flags = { adapter: 'synthetic' } as ServeFlags
const linesWith = (environment: Readonly<Record<string, string>>, token = false) => {
  const url = 'http://127.0.0.1:8010'
  const commands = agentWebkitProtocol.commands(url, { token, environment })
  return banner([{ name: 'agent-webkit', url, commands }], flags)
    .split('\n')
    .filter((line) => line.includes('curl'))
}

it('shows an agent-webkit command with the token variable, never with the token itself, and not on a command line', () => {
  const plain = `curl -s -X POST http://127.0.0.1:8010/sessions -H 'content-type: application/json' -d '{}'`
  const [open] = linesWith({})
  const [asked] = linesWith({ AGENT_WEBKIT_TOKEN: 'secret' })
  expect(open).toContain(plain)
  const sent = (variable: string) =>
    plain.replace('curl -s', `printf 'Authorization: Bearer %s' "$${variable}" | curl -s -H @-`)
  expect(asked).toContain(sent('AGENT_WEBKIT_TOKEN'))
  expect(linesWith({}, true)[0]).toContain(sent('BACKLOT_TOKEN'))
  expect(asked).not.toContain('secret')
  expect(linesWith({ AGENT_WEBKIT_TOKEN: 'secret', AGENT_WEBKIT_NO_AUTH: '1' }, true)).toEqual([open])
})

describe('with --tools agent', () => {
  const observer = { name: 'observer', url: 'http://127.0.0.1:5001', commands: [] }
  const harness = { name: 'harness', url: 'http://127.0.0.1:5002', commands: [] }
  const rowsOf = (...some: Parameters<typeof banner>[0]) => banner(some, { ...flags, tools: 'agent' }).split('\n')

  it('shows the inspector only on the harness port, at a URL to which a path can be appended', () => {
    const inspector = rowsOf(observer, harness).find((line) => line.includes('inspector'))
    expect(inspector?.trim().split(/ {2,}/)).toEqual(['inspector', 'http://127.0.0.1:5002', 'open it in a browser'])
    expect(rowsOf(observer).some((line) => line.includes('inspector'))).toBe(false)
  })

  it('shows an MCP command for agents', () => {
    expect(rowsOf(observer).find((line) => line.includes('MCP'))).toContain('serve --mode mcp --tools agent')
  })
})
