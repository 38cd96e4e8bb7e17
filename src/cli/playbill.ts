import { findScenario } from '../gallery.ts'
import { authFrom } from '../testbed.ts'
import { program, quoted } from './program.ts'
import type { ProtocolName, ServeFlags } from './serve-flags.ts'

export interface ServedProtocol {
  /** `harness`: the observer once more, with every tool; `embeddings`: what belongs to WindieOS. */
  readonly name: ProtocolName | 'harness' | 'embeddings'
  readonly url: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** How each protocol is tried from a terminal. */
const TRY: Readonly<
  Record<ServedProtocol['name'], (url: string, auth: string, environment: Environment) => readonly string[]>
> = {
  observer: (url, auth) => [`curl -s${auth} ${url}/api/windows`, `curl -s${auth} ${url}/api/structure`],
  harness: (url, auth) => [`curl -s${auth} -X POST ${url}/api/session/reset`],
  'agent-webkit': (url, _auth, environment) => {
    // The shell fills in the token, so that no terminal shows it.
    const bearer = authFrom(environment).disabled ? '' : ` -H "Authorization: Bearer $AGENT_WEBKIT_TOKEN"`
    return [`curl -s${bearer} -X POST ${url}/sessions -H 'content-type: application/json' -d '{}'`]
  },
  cortask: (url) => [`npx wscat -c ${url.replace('http', 'ws')}/ws`],
  navi: (url) => [`curl -s ${url}/agents/profiles`],
  embeddings: (url) => [`curl -s ${url}/health`],
  windieos: (url) => [`curl -s ${url}/api/sdk/models`],
}

/** What is served, where, and how to try it, for a terminal. */
export function playbill(
  served: readonly ServedProtocol[],
  { scenario, adapter, token, tools }: ServeFlags,
  environment: Environment,
): string {
  const auth = token === undefined ? '' : ` -H 'Authorization: Bearer …'`
  const rows = served.flatMap(({ name, url }) => {
    const [first = '', ...more] = TRY[name](url, auth, environment)
    return [row(name, url, first), ...more.map((line) => row('', '', line))]
  })
  // The inspector is for the harness, which the port of the agent does not take a browser for.
  const rest = served.find(({ name }) => name === (tools === 'agent' ? 'harness' : 'observer'))
  const play = scenario === undefined ? '' : ` --scenario ${quoted(findScenario(scenario))}`
  const real = adapter === 'synthetic' ? '' : ` --adapter ${adapter}`
  const offered = tools === 'agent' ? ' --tools agent' : ''
  const mcp = `${program()} serve --mode mcp${offered}${play}${real}`
  return [
    '',
    '  Backlot is on stage.',
    '',
    row('what', 'where', 'try'),
    ...(rest ? [row('inspector', `${rest.url}/`, 'open it in a browser')] : []),
    ...rows,
    row('MCP', 'standard input/output', mcp),
    '',
    '  Ctrl-C ends it.',
    '',
  ].join('\n')
}

const row = (what: string, where: string, how: string): string =>
  `  ${what.padEnd(14)} ${where.padEnd(24)} ${how}`.trimEnd()
