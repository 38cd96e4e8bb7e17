import type { LiveCall, LiveElement } from './live.ts'

/** The tools that click an element, by those that click a point. */
const ELEMENT_TOOLS: Readonly<Record<string, string>> = {
  click_at: 'click_element',
  double_click_at: 'double_click_element',
  right_click_at: 'right_click_element',
}

/** Arguments that only matter to the call that was made. */
const DROPPED = new Set(['dry_run', 'coordinate_space', 'confirm_token'])

/**
 * The calls of a log that a recording keeps, as steps of a solution: what acted and succeeded. Clicks at a point become clicks
 * on the element that received them. A rewind drops the steps after its target, a reset all of them.
 * @param calls The log since the start of the recording, oldest first.
 * @param startWindow The uid of the window that had the focus at the start.
 */
export function recordedCalls(calls: readonly LiveCall[], startWindow: string | undefined): readonly KeptCall[] {
  let kept: { readonly step: number | null; readonly call: KeptCall }[] = []
  let window = startWindow
  calls.forEach((call, at) => {
    if (!call.ok) return
    const { tool, args, step, hit } = call
    if (tool === 'session_reset' || tool === 'load_scenario') {
      kept = []
      window = undefined
    } else if (tool === 'session_rewind') kept = kept.filter((each) => (each.step ?? 0) <= Number(args.to_step))
    else if (tool === 'session_advance' || tool === 'wait') {
      const waited = Number(tool === 'wait' ? args.duration_ms : args.ms)
      const last = kept.at(-1)
      if (last?.call.tool !== 'wait') kept.push({ step, call: waitFor(waited) })
      else kept[kept.length - 1] = { step, call: waitFor(waited + Number(last.call.args.duration_ms)) }
    } else if (call.kind === 'act' && args.dry_run !== true && !isPartOfAnother(calls, at)) {
      kept.push({ step, call: toElement(call, window) })
      if (hit) window = hit.window_uid
    }
  })
  return kept.map(({ call }) => call)
}

const waitFor = (durationMs: number): KeptCall => ({ tool: 'wait', args: { duration_ms: durationMs } })

/** Whether a later call of the log made this one, such as `click_element_and_observe`. */
function isPartOfAnother(calls: readonly LiveCall[], at: number): boolean {
  const { caller } = calls[at]!
  return calls.slice(at + 1).find(({ tool }) => tool === caller)?.kind === 'act'
}

function toElement({ tool, args, hit }: LiveCall, window: string | undefined): KeptCall {
  const given = Object.fromEntries(Object.entries(args).filter(([name]) => !DROPPED.has(name)))
  const count = given.double === true ? 'double_click_at' : given.button === 'right' ? 'right_click_at' : tool
  const onElement = tool === 'click_at' && given.button === 'middle' ? undefined : ELEMENT_TOOLS[count]
  // Where a slider or a text is clicked matters.
  if (!hit || hit.positional || !onElement) return { tool, args: given }
  return { tool: onElement, args: { selector: hit.selector, ...(hit.window_uid !== window && windowOf(hit)) } }
}

const windowOf = ({ window, window_uid }: LiveElement) =>
  window === null || window.trim() === '' ? { window_uid } : { window_title: window }

/** A call that the recorder keeps. */
export interface KeptCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The scenario that recorded calls were made in. */
export interface RecordedScenario {
  /** The path of the file, or its name in the gallery. */
  readonly scenario: string
  readonly seed?: number | undefined
  readonly variant?: Readonly<Record<string, string>> | undefined
  /** Whether `{{ … }}` is an expression in the texts of its file. */
  readonly isComposed?: boolean | undefined
}

/** Takes the place of a secret in the log. */
const HIDDEN = '<redacted>'

const hasHidden = ({ args }: KeptCall): boolean => JSON.stringify(args).includes(JSON.stringify(HIDDEN))

const FILL_IN = 'fill in the hidden text'

/** The calls as `solution:` of a scenario file, in which `{{` may begin an expression. Comments mark hidden texts. */
export function solutionOf(
  calls: readonly KeptCall[],
  { isComposed }: Pick<RecordedScenario, 'isComposed'> = {},
): string {
  if (calls.length === 0) return 'solution: []\n'
  const lines = calls.map((call) => {
    const { tool, args } = call
    const given = Object.keys(args).length === 0 ? '' : `, with: ${flowOf(isComposed ? withLiteralBraces(args) : args)}`
    return `  - {call: ${tool}${given}}${hasHidden(call) ? ` # ${FILL_IN}` : ''}`
  })
  return `solution:\n${lines.join('\n')}\n`
}

/** A vitest test that makes the calls on a desktop of its own. */
export function testOf(calls: readonly KeptCall[], { scenario, seed, variant }: RecordedScenario): string {
  const options = { scenario, ...(seed !== undefined && { seed }), ...(variant && { variant }) }
  const lines = calls.map((call) => {
    const { tool, args } = call
    const given = Object.keys(args).length === 0 ? '' : `, ${literalOf(args)}`
    return `  await desktop.call(${literalOf(tool)}${given})${hasHidden(call) ? ` // ${FILL_IN}` : ''}\n`
  })
  return `import { expect, test } from 'vitest'
import { matchers, openDesktop } from 'backlot/testing'

expect.extend(matchers)

test(${literalOf(`solves ${scenario}`)}, async () => {
  const desktop = openDesktop(${literalOf(options)})
${lines.join('')}  await expect(desktop).toBeSolved()
})
`
}

/** The value with each `{{` as an expression that stands for it. */
function withLiteralBraces(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '{{ "{{" }}')
  if (Array.isArray(value)) return value.map(withLiteralBraces)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withLiteralBraces(each)]))
}

const PLAIN_KEY = /^[a-z_]\w*$/i

/** A value in the flow style of YAML. JSON is valid in it; only keys are written plainly. */
function flowOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return textOf(value)
  const entries = Object.entries(value).map(([key, each]) => `${keyOf(key)}: ${flowOf(each)}`)
  return `{${entries.join(', ')}}`
}

/** Single quotes need no escapes, so that selectors stay readable. */
function textOf(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  const isReadable = typeof value === 'string' && json.includes('\\') && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)
  return isReadable ? `'${value.replaceAll("'", "''")}'` : json
}

/** A value as a literal of TypeScript. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => `${keyOf(key)}: ${literalOf(each)}`)
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
  }
  const json = JSON.stringify(value) ?? 'undefined'
  if (typeof value !== 'string') return json
  return `'${json
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll(/[\u2028\u2029]/g, escapeOf)}'`
}

const escapeOf = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16)}`

/** Words such as `on`, `no` and `y` are booleans for some readers of YAML, so they are quoted. */
const keyOf = (key: string): string =>
  PLAIN_KEY.test(key) && !/^(on|off|yes|no|y|n|true|false|null)$/i.test(key) ? key : JSON.stringify(key)
