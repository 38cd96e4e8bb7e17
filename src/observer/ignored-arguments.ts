import { suggest } from '../base/strings.ts'
import { inputSchema } from './registry.ts'
import { isToolArguments, MAX_IGNORED_NAME_LENGTH, type ToolResult } from './result.ts'
import type { Tool } from './tool.ts'

/** An unknown argument and the nearest known name. */
export interface IgnoredArgument {
  readonly name: string
  readonly did_you_mean?: string
}

const MAX_NAMED = 20

/** The names of a body that are not known, at most `MAX_NAMED`. */
export function unknownNames(given: object, known: readonly string[]): readonly IgnoredArgument[] {
  const ignored: IgnoredArgument[] = []
  for (const name in given) {
    if (known.includes(name)) continue
    const short = name.slice(0, MAX_IGNORED_NAME_LENGTH)
    const [near] = suggest(short, known)
    ignored.push(near === undefined ? { name: short } : { name: short, did_you_mean: near })
    if (ignored.length === MAX_NAMED) break
  }
  return ignored
}

const NONE: ToolResult = {}
const known = new WeakMap<Tool, readonly string[]>()

function argumentsOf(tool: Tool): readonly string[] {
  const names = known.get(tool) ?? Object.keys(inputSchema(tool).properties ?? {})
  known.set(tool, names)
  return names
}

/** The arguments that a tool ignores. `before`: those that a route has omitted already. */
export const ignoredArguments = (
  tool: Tool,
  args: unknown,
  before: readonly IgnoredArgument[] = [],
): readonly IgnoredArgument[] =>
  isToolArguments(args) ? [...before, ...unknownNames(args, argumentsOf(tool))] : before

/** The result fields that name the ignored arguments; empty when there are none. */
export const ignoredFields = (ignored: readonly IgnoredArgument[]): ToolResult =>
  ignored.length === 0 ? NONE : { ignored_arguments: ignored }
