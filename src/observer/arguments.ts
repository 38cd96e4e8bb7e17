import { isTooDeep } from '../base/external-values.ts'
import { suggest } from '../base/strings.ts'
import { findTool, inputSchema } from './registry.ts'
import { isToolArguments, MAX_IGNORED_NAME_LENGTH, type ToolArguments, type ToolResult } from './result.ts'
import type { Tool } from './tool.ts'

/** The arguments of a call as given, and as parsed once they fit the schema. */
interface GivenArguments {
  readonly tool: Tool
  readonly args: unknown
  readonly input?: unknown
}

/** The arguments for traces and the audit log. Ignored arguments are neither written nor kept for a replay. */
export function knownArguments({ tool, args, input }: GivenArguments): ToolArguments {
  if (!isToolArguments(args) || isTooDeep(args)) return {}
  return input === undefined ? argumentsFor(tool, args) : (knownPart(args, input) as ToolArguments)
}

/** The arguments whose names the tool knows. */
function argumentsFor(tool: Tool, args: ToolArguments): ToolArguments {
  const properties = inputSchema(tool).properties ?? {}
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(properties, name)))
}

/** The given value without what the schema has removed, and without arguments that a tool named in it ignores. */
function knownPart(given: unknown, read: unknown): unknown {
  if (Array.isArray(given)) return Array.isArray(read) ? given.map((item, at) => knownPart(item, read[at])) : given
  if (!isToolArguments(given) || !isToolArguments(read)) return given
  const known = Object.entries(given).filter(([name]) => Object.hasOwn(read, name))
  const named = findTool(String(given.tool ?? given.action))
  return Object.fromEntries(
    known.map(([name, value]) => [
      name,
      named && name === 'args' && isToolArguments(value) ? argumentsFor(named, value) : knownPart(value, read[name]),
    ]),
  )
}

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
