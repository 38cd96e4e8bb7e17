import type * as z from 'zod'
import type { AnyJson } from '../suite/behaviors.ts'
import { breakages } from '../suite/generated-sabotages.ts'
import type { Sabotage, SabotageBehavior } from '../suite/sabotage.ts'
import { InitializeResult, RpcError, ToolCallResult, ToolFailure, ToolListResult } from './mcp-driver.ts'

/** A part of the messages of an MCP server. */
interface Part {
  readonly shape: z.ZodType
  readonly targets: readonly string[]
  /** Breaks the part in a message, if the message has it. */
  change(message: AnyJson, apply: (value: unknown) => void): void
}

const inResult =
  (has: (result: AnyJson) => boolean): Part['change'] =>
  ({ result }, apply) => {
    if (result && has(result)) apply(result)
  }

const PARTS: Readonly<Record<string, Part>> = {
  initialize: {
    shape: InitializeResult,
    targets: ['observer:mcp:initialize'],
    change: inResult((result) => 'serverInfo' in result),
  },
  'tools/list': {
    shape: ToolListResult,
    targets: ['observer:mcp:tools', 'observer:mcp:arguments'],
    change: inResult((result) => Array.isArray(result.tools)),
  },
  'tools/call': {
    shape: ToolCallResult,
    targets: ['observer:mcp:call', 'observer:mcp:picture'],
    change: inResult((result) => Array.isArray(result.content)),
  },
  error: {
    shape: RpcError,
    targets: ['observer:mcp:unknown'],
    change: ({ error }, apply) => {
      if (error) apply(error)
    },
  },
  failure: {
    shape: ToolFailure,
    targets: ['observer:mcp:is-error'],
    change: ({ result }, apply) => {
      const text = result?.isError && result.content.find(({ type }: AnyJson) => type === 'text')
      if (!text) return
      const json = JSON.parse(text.text)
      apply(json)
      text.text = JSON.stringify(json)
    },
  },
}

/** Breaks every required field of the messages that are common to all tools, failures included. */
export const generatedMcpSabotages = (): readonly Sabotage[] =>
  Object.entries(PARTS).flatMap(([part, { shape, targets, change }]) =>
    breakages(shape).map(
      ({ name, apply }): Sabotage => ({
        name: `MCP ${part}: ${name}`,
        protocol: 'observer',
        targets,
        changeMessage: (message) => change(message, apply),
      }),
    ),
  )

/** Changes every response. */
export const inAnswer = (change: (message: AnyJson) => void): SabotageBehavior => ({ changeMessage: change })

/** Changes the results of one kind. */
const inResultOf = (isOfKind: (result: AnyJson) => boolean, change: (result: AnyJson) => void): SabotageBehavior =>
  inAnswer(({ result }) => {
    if (result && isOfKind(result)) change(result)
  })

/** Changes the results of revision 2026-07-28, which have a type. */
export const inStateless = (
  change: (result: AnyJson) => void,
  isOfKind: (result: AnyJson) => boolean = () => true,
): SabotageBehavior => inResultOf((result) => 'resultType' in result && isOfKind(result), change)

export const inGreeting = (change: (result: AnyJson) => void) => inResultOf((result) => 'serverInfo' in result, change)

export const inListing = (change: (tools: AnyJson) => void) =>
  inResultOf(
    (result) => Array.isArray(result.tools),
    (result) => change(result.tools),
  )

export const inCall = (change: (result: AnyJson) => void) =>
  inResultOf((result) => Array.isArray(result.content), change)

export const toolIn = (tools: AnyJson, name: string): AnyJson => tools.find((tool: AnyJson) => tool.name === name)

/** Removes a tool of the document from a listing. */
export const hideTool = (tools: AnyJson): void => {
  tools.splice(tools.indexOf(toolIn(tools, 'find_element')), 1)
}

/** Changes the JSON text of a tool result. */
export const inText = (change: (json: AnyJson) => void) =>
  inCall((result) => {
    const text = result.content.find((item: AnyJson) => item.type === 'text')
    if (!text) return
    const json = JSON.parse(text.text)
    change(json)
    text.text = JSON.stringify(json)
  })
