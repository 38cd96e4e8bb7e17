import type * as z from 'zod'
import { Called, Failure, Initialized, Listed, RpcError } from '../contract/observer-mcp.ts'
import { breakages } from './generated.ts'
import type { Sabotage } from './sabotage.ts'
import type { Loose } from './semantic/behaviors.ts'

/** A part of the messages of a server that speaks MCP. */
interface Part {
  readonly shape: z.ZodType
  readonly aims: readonly string[]
  /** Breaks the part in a message, if the message has it. */
  change(message: Loose, apply: (value: unknown) => void): void
}

const inResult =
  (has: (result: Loose) => boolean): Part['change'] =>
  ({ result }, apply) => {
    if (result && has(result)) apply(result)
  }

const PARTS: Readonly<Record<string, Part>> = {
  initialize: {
    shape: Initialized,
    aims: ['observer:mcp:initialize'],
    change: inResult((result) => 'serverInfo' in result),
  },
  'tools/list': {
    shape: Listed,
    aims: ['observer:mcp:tools', 'observer:mcp:arguments'],
    change: inResult((result) => Array.isArray(result.tools)),
  },
  'tools/call': {
    shape: Called,
    aims: ['observer:mcp:call', 'observer:mcp:picture'],
    change: inResult((result) => Array.isArray(result.content)),
  },
  error: {
    shape: RpcError,
    aims: ['observer:mcp:unknown'],
    change: ({ error }, apply) => {
      if (error) apply(error)
    },
  },
  failure: {
    shape: Failure,
    aims: ['observer:mcp:is-error'],
    change: ({ result }, apply) => {
      const text = result?.isError && result.content.find(({ type }: Loose) => type === 'text')
      if (!text) return
      const json = JSON.parse(text.text)
      apply(json)
      text.text = JSON.stringify(json)
    },
  },
}

/** Breaks every required field of the messages that are common to all tools, failures included. */
export const generatedMcpSabotages = (): readonly Sabotage[] =>
  Object.entries(PARTS).flatMap(([part, { shape, aims, change }]) =>
    breakages(shape).map(
      ({ name, apply }): Sabotage => ({
        name: `MCP ${part}: ${name}`,
        protocol: 'observer',
        aims,
        message: (message) => change(message, apply),
      }),
    ),
  )
