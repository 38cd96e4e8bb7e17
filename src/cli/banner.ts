import { quoted } from '../base/strings.ts'
import { findScenario } from '../compose/gallery.ts'
import { program } from './program.ts'
import type { ServeFlags } from './serve-flags.ts'

/** A row of the banner: a protocol, a service of one, or `harness`, the observer with every tool. */
export interface ServedProtocol {
  readonly name: string
  readonly url: string
  readonly commands: readonly string[]
}

/** The startup text: the URL of each service, without a slash at its end, since users append paths, and a command to try it. */
export function banner(served: readonly ServedProtocol[], { scenario, adapter, url, tools }: ServeFlags): string {
  const rows = served.flatMap(({ name, url, commands: [first = '', ...more] }) => [
    row(name, url, first),
    ...more.map((line) => row('', '', line)),
  ])
  // The inspector uses the tools of the harness, so with `--tools agent` it is on the harness port.
  const rest = served.find(({ name }) => name === (tools === 'agent' ? 'harness' : 'observer'))
  const observer = served.find(({ name }) => name === 'observer')
  const play = scenario === undefined ? '' : ` --scenario ${quoted(findScenario(scenario))}`
  const other = url === undefined ? '' : ` --url ${quoted(url)}`
  const real = adapter === 'synthetic' ? '' : ` --adapter ${adapter}${other}`
  const offered = tools === 'agent' ? ' --tools agent' : ''
  const mcp = `${program()} serve --mode mcp${offered}${play}${real}`
  return [
    '',
    '  Backlot is running.',
    '',
    row('service', 'URL', 'try'),
    ...(rest ? [row('inspector', rest.url, 'open it in a browser')] : []),
    ...rows,
    row('MCP', 'standard input/output', mcp),
    ...(observer ? [row('', `${observer.url}/mcp`, 'connect a client by URL')] : []),
    '',
    '  Press Ctrl-C to stop.',
    '',
  ].join('\n')
}

const row = (what: string, where: string, how: string): string =>
  `  ${what.padEnd(14)} ${where.padEnd(24)} ${how}`.trimEnd()
