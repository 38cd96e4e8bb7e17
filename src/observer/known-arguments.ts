import { isTooDeep } from '../base/external-values.ts'
import { findTool, inputSchema } from './registry.ts'
import { isToolArguments, type ToolArguments } from './result.ts'
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
