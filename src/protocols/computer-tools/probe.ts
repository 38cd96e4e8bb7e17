import { HARNESS_HEADER } from '../http/guard.ts'
import {
  type AccessProbe,
  type AgentRequest,
  bodyOf,
  HARNESS_GUESSES,
  type ProbeContext,
  WRONG_TOKENS,
} from '../probe.ts'
import { COMPUTER_PATH, ERROR_HEADER, ERROR_MESSAGE_HEADER } from './http.ts'
import { COMPUTER_VENDORS, type ComputerVendor } from './vendors.ts'

/** An action in the dialects of the vendors. */
const DIALECTS: Readonly<Record<ComputerVendor, (action: string) => object>> = {
  anthropic: (action) => ({ type: 'tool_use', id: 'a', name: 'computer', input: { action } }),
  openai: (type) => ({ type: 'computer_call', call_id: 'c', action: { type } }),
  gemini: (name) => ({ name, args: {} }),
  'anthropic-browser': (name) => ({ type: 'tool_use', id: 'a', name, toolset_name: 'browser', input: {} }),
  'openai-browser': (name) => ({ type: 'function_call', call_id: 'c', name: `browser_${name}`, arguments: '{}' }),
}

/** The action that takes a screenshot. */
const OBSERVATIONS: Readonly<Record<ComputerVendor, string>> = {
  anthropic: 'screenshot',
  openai: 'screenshot',
  gemini: 'wait_5_seconds',
  'anthropic-browser': 'list_tabs',
  'openai-browser': 'list_tabs',
}

const actionRequest = (vendor: ComputerVendor, action: string, prefix = ''): AgentRequest => ({
  method: 'POST',
  path: `${prefix}${COMPUTER_PATH}/${vendor}`,
  body: DIALECTS[vendor](action),
})

/** The tools of the harness as actions, also with guessed harness tokens, and actions with other tokens and for other sessions. */
const refused = ({ sessionId, harnessTools }: ProbeContext): readonly AgentRequest[] =>
  COMPUTER_VENDORS.flatMap((vendor) => {
    const [first = '', ...others] = harnessTools
    return [
      ...[first, ...others].map((name) => actionRequest(vendor, name)),
      actionRequest(vendor, first, `/sessions/${sessionId}`),
      ...HARNESS_GUESSES.map((guess) => ({ ...actionRequest(vendor, first), headers: { [HARNESS_HEADER]: guess } })),
      ...WRONG_TOKENS.map((headers) => ({ ...actionRequest(vendor, OBSERVATIONS[vendor]), headers })),
      actionRequest(vendor, OBSERVATIONS[vendor], '/sessions/other'),
    ]
  })

const ALLOWED: readonly AgentRequest[] = [
  { method: 'GET', path: COMPUTER_PATH },
  ...COMPUTER_VENDORS.flatMap((vendor): readonly AgentRequest[] => [
    { method: 'GET', path: `${COMPUTER_PATH}/${vendor}/definition` },
    ...(['nothing', OBSERVATIONS[vendor]] as const).map((action) => actionRequest(vendor, action)),
  ]),
  actionRequest('anthropic', 'cursor_position'),
]

const REFUSALS: ReadonlySet<string> = new Set(['BadRequest', 'PermissionDenied'])

/**
 * The computer tools of model vendors. They have actions and no tools, so that a name of a tool must be refused as an unknown
 * action in every dialect.
 */
export const computerToolsProbe: AccessProbe = {
  title: 'the computer tools',
  refused,
  allowed: () => ALLOWED,
  exchange: async (request, send) => {
    const answer = await send(request)
    const { [ERROR_HEADER]: code, [ERROR_MESSAGE_HEADER]: message } = answer.headers
    return { status: answer.status, body: { answer: bodyOf(answer), ...(code !== undefined && { code, message }) } }
  },
  // Two dialects answer an unknown action with status 200 and the code of the error.
  isRefused: ({ status, body }) =>
    (status >= 400 && status < 500) || REFUSALS.has(String((body as { readonly code?: unknown }).code)),
}
