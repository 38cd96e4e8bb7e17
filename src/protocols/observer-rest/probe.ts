import { HARNESS_HEADER } from '../http/guard.ts'
import {
  type AccessProbe,
  type AgentRequest,
  HARNESS_GUESSES,
  isRefusal,
  type ProbeContext,
  WRONG_TOKENS,
} from '../probe.ts'
import { SOCKET_PATH } from './socket.ts'

/** Requests that must be refused. */
function refused({ scenario, harnessTools }: ProbeContext): readonly AgentRequest[] {
  const yaml = `${scenario}.yaml`
  const requests: AgentRequest[] = [
    ...harnessTools.map((name) => ({ method: 'POST' as const, path: `/api/tool/${name}`, body: {} })),
    { method: 'GET', path: '/sessions' },
    { method: 'GET', path: '/scenarios' },
    { method: 'GET', path: '/api/inspector/screen' },
    { method: 'GET', path: '/api/inspector/explain?call=1' },
    { method: 'GET', path: '/api/inspector/select?selector=Button' },
    { method: 'POST', path: '/sessions', body: { scenario } },
    { method: 'POST', path: '/api/scenario/load', body: { scenario } },
    ...['fork', 'rewind', 'advance', 'reset', 'step'].map((name) => ({
      method: 'POST' as const,
      path: `/api/session/${name}`,
      body: {},
    })),
    { method: 'POST', path: '/api/assert_state', body: { predicate: [{ kind: 'window_exists', title_regex: '.' }] } },
    { method: 'POST', path: '/api/trace/start', body: {} },
    { method: 'POST', path: '/api/replay/start', body: { path: 'trace.jsonl' } },
    { method: 'DELETE', path: '/sessions/memory' },
    ...[`/scenarios/${yaml}`, `/${yaml}`, `/scenarios/..%2f${yaml}`].map((path) => ({ method: 'GET' as const, path })),
  ]
  const [tool] = harnessTools
  const guarded: readonly AgentRequest[] = [
    { method: 'POST', path: `/api/tool/${tool}`, body: {} },
    { method: 'GET', path: '/sessions' },
  ]
  return [
    ...requests,
    ...HARNESS_GUESSES.flatMap((guess) =>
      guarded.map((request) => ({ ...request, headers: { ...request.headers, [HARNESS_HEADER]: guess } })),
    ),
  ]
}

/** Requests that agents may make, whose answers must not show what the oracles expect. */
const allowed = ({ looks }: ProbeContext): readonly AgentRequest[] => [
  ...['/openapi.json', '/asyncapi.json', '/api/healthz', '/api/metrics', '/api/tools', '/api/nothing'].map((path) => ({
    method: 'GET' as const,
    path,
  })),
  ...looks.map(({ tool, args }) => ({ method: 'POST' as const, path: `/api/tool/${tool}`, body: args })),
]

/** Every tool and route of the harness, guessed harness tokens, and all that agents can read. */
const restProbe: AccessProbe = { title: 'REST', refused, allowed }

const message = (body: unknown, { path = SOCKET_PATH, headers = {} }: Partial<AgentRequest> = {}): AgentRequest => ({
  method: 'SOCKET',
  path,
  body,
  headers,
})

/** The tools over a WebSocket: as the only call, in a list, for the session by its name, and with other tokens. */
const socketProbe: AccessProbe = {
  title: 'WebSocket',
  refused: ({ sessionId, harnessTools }) => {
    const [first = ''] = harnessTools
    return [
      ...harnessTools.map((tool) => message({ tool, args: {} })),
      ...harnessTools.map((tool) => message({ tool, session_id: sessionId })),
      message({ tool: first }, { path: `/sessions/${sessionId}${SOCKET_PATH}` }),
      ...HARNESS_GUESSES.map((guess) => message({ tool: first }, { headers: { [HARNESS_HEADER]: guess } })),
      ...WRONG_TOKENS.map((headers) => message({ tool: 'list_windows' }, { headers })),
      message({ tool: 'list_windows' }, { path: `/sessions/other${SOCKET_PATH}` }),
    ]
  },
  allowed: ({ looks }) => [message([...looks, { tool: 'nothing', args: {} }])],
  isRefused: (answer) => isRefusal(answer) || JSON.stringify(answer.body).includes('SessionNotFound'),
}

/** How the security audit asks the observer's own routes and its WebSocket. */
export const observerProbes: readonly AccessProbe[] = [restProbe, socketProbe]
