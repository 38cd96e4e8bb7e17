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
