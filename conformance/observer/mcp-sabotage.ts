import type * as z from 'zod'
import type { AnyJson } from '../sabotage/behaviors.ts'
import { breakages } from '../sabotage/generated.ts'
import type { Sabotage } from '../sabotage/sabotage.ts'
import { InitializeResult, RpcError, ToolCallResult, ToolFailure, ToolListResult } from './mcp-shapes.ts'

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
