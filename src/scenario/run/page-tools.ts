import { hookOf } from '../faults/catalogue.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { EventFieldType } from '../schema/common.ts'
import type { PageTool } from '../schema/sites.ts'
import { browserOf } from './effects/browser-state.ts'
import { browserWindowOf } from './effects/navigate.ts'
import { activeObservations } from './observe.ts'

/** The tools that the page in front of a browser registers for agents (WebMCP). */

/** What of the web an agent may call. */
export interface PageWithTools {
  /** The uid of the window of the browser. */
  readonly window: string
  readonly url: string
  readonly tools: readonly PageTool[]
  /** What the last call of a tool answered. */
  readonly returned: string
}

/** The page in front, and its tools as agents are shown them. Undefined if no window shows a browser. */
export function pageWithTools(run: ScenarioRun): PageWithTools | undefined {
  const { sites } = run.scenario
  const window = sites.size > 0 ? browserWindowOf(run.desktop)?.uid : undefined
  if (window === undefined) return undefined
  const { site, page, url, returned = '' } = browserOf(run)
  const shown = sites.get(site)
  const own = shown?.routes.find(({ id }) => id === page)?.tools ?? []
  const tools = activeObservations(run).reduce<readonly PageTool[]>(
    (seen, { chosen }) => {
      const hook = hookOf(chosen)
      return hook.on === 'observation' && hook.tools ? hook.tools(seen, chosen) : seen
    },
    [...(shown?.tools ?? []), ...own],
  )
  return { window, url, tools, returned }
}

const inputsOf = ({ input = {} }: PageTool) =>
  Object.entries(input).map(([name, given]) => ({
    name,
    ...(typeof given === 'string' ? { type: given } : given),
  }))

const JSON_TYPES = { text: 'string', number: 'number', integer: 'integer', boolean: 'boolean', any: undefined } as const

/** The JSON Schema of the arguments of a tool. */
export function inputSchemaOf(tool: PageTool): object {
  const inputs = inputsOf(tool)
  const required = inputs.flatMap(({ name, optional }) => (optional ? [] : [name]))
  return {
    type: 'object',
    properties: Object.fromEntries(
      inputs.map(({ name, type, description }) => [
        name,
        { ...(JSON_TYPES[type] && { type: JSON_TYPES[type] }), ...(description !== undefined && { description }) },
      ]),
    ),
    ...(required.length > 0 && { required }),
  }
}

const EMPTY = { text: '', number: 0, integer: 0, boolean: false, any: null } as const

/** The arguments of a call with those that were left out, or what is wrong with them. */
export function readToolInput(
  tool: PageTool,
  given: Readonly<Record<string, unknown>>,
): { readonly input: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  const inputs = inputsOf(tool)
  const unknown = Object.keys(given).find((key) => !inputs.some(({ name }) => name === key))
  if (unknown !== undefined)
    return { problem: `${tool.name} has no argument ${unknown}; ${listed(inputs.map(({ name }) => name))}` }
  for (const { name, type, optional } of inputs) {
    if (given[name] === undefined && !optional) return { problem: `${tool.name} needs ${name}` }
    if (given[name] !== undefined && !fits(given[name], type))
      return { problem: `${name}: expected ${type}, found ${JSON.stringify(given[name]).slice(0, 100)}` }
  }
  return { input: Object.fromEntries(inputs.map(({ name, type }) => [name, given[name] ?? EMPTY[type]])) }
}

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`

function fits(value: unknown, type: EventFieldType): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'any':
      return true
  }
}
