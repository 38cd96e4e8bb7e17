import { HARNESS_HEADER } from '../http/guard.ts'
import { type AccessProbe, type AgentRequest, HARNESS_GUESSES, type ProbeContext, WRONG_TOKENS } from '../probe.ts'
import { ENVIRONMENT } from './wire.ts'

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): AgentRequest => ({
  method: 'POST',
  path,
  body,
  headers,
})
const get = (path: string): AgentRequest => ({ method: 'GET', path })
const frame = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): AgentRequest => ({
  method: 'SOCKET',
  path,
  body,
  headers,
})

/** Everything with a reward or a desktop: OpenEnv's client is the trainer, not the agent. */
function refused({ scenario, sessionId }: ProbeContext): readonly AgentRequest[] {
  const reset = { scenario, seed: 1 }
  const headers = [...HARNESS_GUESSES.map((guess) => ({ [HARNESS_HEADER]: guess })), ...WRONG_TOKENS, {}]
  return [
    ...headers.flatMap((each) => [post('/reset', reset, each), frame('/ws', { type: 'reset', data: reset }, each)]),
    post('/step', { action: { tool: 'list_windows' } }),
    post('/mcp', { jsonrpc: '2.0', id: 1, method: 'openenv/session/create' }),
    post(`/${ENVIRONMENT}/tasks`, { split: 'train' }),
    post(`/${ENVIRONMENT}/task`, { split: 'train', index: 0 }),
    frame(`/ws?session_id=${sessionId}`, { type: 'state' }),
    frame('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ...['/state', '/web', '/list_environments', `/${ENVIRONMENT}/splits`].map(get),
  ]
}

/** OpenEnv: episodes with their rewards, and what anybody can read. */
export const openenvProbe: AccessProbe = {
  title: 'OpenEnv',
  refused,
  allowed: () => ['/health', '/metadata', '/schema', '/openapi.json', '/asyncapi.json', '/nothing'].map(get),
}
