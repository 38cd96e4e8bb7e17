import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { SessionRequest } from '../../observer/session/sessions.ts'
import { describeProblems } from '../../observer/tool.ts'

const MAX_LENGTH = 1_000
const Text = z.string().min(1).max(MAX_LENGTH)
/** Only digits: an empty value or 1e3 is more likely a mistake. */
const Integer = z.preprocess(
  (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
  z.int(),
)
const Repeated = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(Text).max(100))

/** The query of an initialize request. With any of them but `tools`, the client gets a desktop of its own. */
export const DesktopQuery = z.strictObject({
  scenario: Text.refine((text) => !/[\r\n]/.test(text), 'is a name or a path, not the text of a scenario')
    .optional()
    .describe('A name of the gallery, or a path below the folders that this server may read'),
  seed: Integer.optional().describe('The seed of the run'),
  variant: Repeated.optional().describe('AXIS=VALUE; may be repeated'),
  faults: Repeated.optional().describe('Names of faults, with commas between them'),
  tools: z.enum(['agent', 'all']).optional().describe('agent: only the tools of agents'),
})

/** The desktop that a client asks for. Undefined for the one at the path. */
export interface DesktopChoice {
  readonly desktop: SessionRequest | undefined
  readonly tools: 'agent' | 'all' | undefined
}

/** Reads the query of an initialize request. Throws `BadRequest` with every problem. */
export function readDesktopQuery(query: unknown): DesktopChoice {
  const parsed = DesktopQuery.safeParse(query)
  if (!parsed.success) {
    const problems = describeProblems(DesktopQuery, query, parsed.error)
    throw new Fault('BadRequest', problems.join('; '), { problems })
  }
  const { scenario, seed, variant, faults, tools } = parsed.data
  if (scenario === undefined && seed === undefined && !variant && !faults) return { desktop: undefined, tools }
  return {
    desktop: {
      scenario,
      seed,
      ...(variant && { variant: readChoices(variant) }),
      ...(faults && { faults: faults.flatMap((names) => names.split(',')) }),
    },
    tools,
  }
}

function readChoices(texts: readonly string[]): Record<string, string> {
  const choices = new Map<string, string>()
  for (const [axis, value] of texts.map(readChoice)) {
    if (choices.has(axis)) throw new Fault('BadRequest', `variant: ${JSON.stringify(axis)} is given twice`)
    choices.set(axis, value)
  }
  return Object.fromEntries(choices)
}

function readChoice(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Fault('BadRequest', `variant: ${JSON.stringify(text)} is not AXIS=VALUE, such as theme=dark`)
  return [text.slice(0, at), text.slice(at + 1)]
}
