import * as z from 'zod'
import type { Fault } from '../base/fault.ts'
import type { ToolName } from '../scenario/tools.ts'
import type { CallOutcome, ToolResult } from './result.ts'
import type { Settings } from './settings.ts'
import type { Audience, Tool } from './tool.ts'
import { isFor } from './tool.ts'
import { aboutTools } from './tools/about.ts'
import { annotationTools } from './tools/annotations.ts'
import { captureTools } from './tools/capture.ts'
import { compositeTools } from './tools/composites.ts'
import { elementTools } from './tools/elements.ts'
import { inputTools } from './tools/input.ts'
import { keyboardTools } from './tools/keyboard.ts'
import { mouseTools } from './tools/mouse.ts'
import { observeTools } from './tools/observe.ts'
import { outlineTools } from './tools/outline.ts'
import { pictureTools } from './tools/pictures.ts'
import { proposeTools } from './tools/propose.ts'
import { scenarioTools } from './tools/scenario.ts'
import { finishTools, sessionInfoTools, simulationTools } from './tools/session-tools.ts'
import { snapshotTools } from './tools/snapshots.ts'
import { storageTools } from './tools/storage.ts'
import { tracingTools } from './tools/tracing.ts'
import { trainingTools } from './tools/training.ts'
import { treeTools } from './tools/trees.ts'
import { waitingTools } from './tools/waiting.ts'
import { webmcpTools } from './tools/webmcp.ts'
import { windowTools } from './tools/window-tools.ts'
import { wordTools } from './tools/words.ts'

const REGISTERED = [
  ...windowTools,
  ...treeTools,
  ...observeTools,
  ...outlineTools,
  ...pictureTools,
  ...captureTools,
  ...annotationTools,
  ...wordTools,
  ...inputTools,
  ...mouseTools,
  ...keyboardTools,
  ...storageTools,
  ...webmcpTools,
  ...elementTools,
  ...compositeTools,
  ...waitingTools,
  ...snapshotTools,
  ...tracingTools,
  ...scenarioTools,
  ...simulationTools,
  ...trainingTools,
  ...proposeTools,
  ...finishTools,
  ...sessionInfoTools,
  ...aboutTools,
]

/** All tools, sorted by name. REST, MCP and the agents' toolbox are derived from this list. */
export const ALL_TOOLS: readonly Tool[] = REGISTERED.toSorted((a, b) => (a.name < b.name ? -1 : 1))

type Registered = (typeof REGISTERED)[number]

/** The types of the arguments and the result of each tool, from its schemas. */
type ToolTypes = {
  [T in Registered as T['name']]: { readonly input: z.input<T['input']>; readonly answer: z.output<T['output']> }
}

const byName = new Map<string, Tool>(ALL_TOOLS.map((tool) => [tool.name, tool]))

/** The tools that callers of an audience may use. Agents have those of web pages only where the settings offer them. */
export const toolsFor = (audience: Audience, settings?: Pick<Settings, 'page_tools'>): readonly Tool[] =>
  ALL_TOOLS.filter(
    (tool) =>
      isFor(tool, audience) && (audience === 'harness' || !tool.traits.ofPages || settings?.page_tools === true),
  )

export const findTool = (name: string): Tool | undefined => byName.get(name)

type JsonSchema = Readonly<Record<string, unknown>>

const inputSchemas = new Map<Tool, JsonSchema>()

/** The JSON Schema of the arguments of a tool. */
export function inputSchema(tool: Tool): JsonSchema {
  const known = inputSchemas.get(tool)
  if (known) return known
  const schema = toJsonSchema(tool.input, 'input')
  inputSchemas.set(tool, schema)
  return schema
}

/** The schema of a result with its envelope. */
export const answerSchema = ({ output }: Tool): z.ZodObject =>
  z.looseObject({
    ok: z.boolean(),
    success: z.boolean(),
    step_id: z.int(),
    caused_by_step_id: z.int().nullable(),
    ...output.shape,
  })

/** The JSON Schema of a result with its envelope. */
export const outputSchema = (tool: Tool): JsonSchema => toJsonSchema(answerSchema(tool), 'output')

/** A schema of JSON Schema 2020-12, which is the default of MCP and needs no `$schema`. */
function toJsonSchema(shape: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io })
  return schema
}

/** The arguments of a tool. A name that is known only at run time accepts any, an unknown name none. */
export type ToolInput<Name extends string> = Name extends ToolName
  ? ToolTypes[Name]['input']
  : string extends Name
    ? unknown
    : never

/** The fields that every result has. */
interface Envelope {
  readonly ok: boolean
  readonly success: boolean
  readonly step_id: number
  readonly caused_by_step_id: number | null
}

/** The result of a tool. Servers may add fields, so other fields are unknown instead of errors. */
export type ToolOutput<Name extends string> = ToolResult &
  (Name extends ToolName ? Envelope & ToolTypes[Name]['answer'] : unknown)

/** The outcome of a call. Check `fault` first: without a fault, the body is the result of the tool. */
export type ToolOutcome<Name extends string> =
  | (CallOutcome & { readonly fault: undefined; readonly body: ToolOutput<Name> })
  | (CallOutcome & { readonly fault: Fault })

/** The arguments of a call, optional where the tool requires none. */
export type CallArguments<Name extends string> =
  undefined extends ToolInput<Name>
    ? [args?: ToolInput<Name>]
    : Record<never, never> extends ToolInput<Name>
      ? [args?: ToolInput<Name>]
      : [args: ToolInput<Name>]

/** The body of a call: the fields of the result, or `error` of a refusal. */
export type ToolReply<Name extends string> = ToolResult &
  Partial<ToolOutput<Name>> & { readonly error?: { readonly code: string } }
