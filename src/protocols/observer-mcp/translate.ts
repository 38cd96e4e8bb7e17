import { FAULTS } from '../../base/fault.ts'
import { inputSchema, outputSchema } from '../../observer/registry.ts'
import type { CallOutcome, ToolResult } from '../../observer/result.ts'
import type { Audience, Tool } from '../../observer/tool.ts'

/**
 * A tool as tools/list shows it. Agents are not shown the schema of its answer, which most clients put into every prompt
 * and which is larger than all the rest.
 */
export const toListing = (tool: Tool, audience: Audience = 'harness') => ({
  name: tool.name,
  description: `${tool.summary}${errorsOf(tool)}`,
  inputSchema: { ...inputSchema(tool), type: 'object' as const },
  ...(audience === 'harness' && { outputSchema: { ...outputSchema(tool), type: 'object' as const } }),
  annotations: {
    readOnlyHint: tool.kind === 'look',
    destructiveHint: tool.kind === 'act' && tool.traits.destructive === true,
    idempotentHint: tool.kind === 'look' || tool.traits.idempotent === true,
    openWorldHint: false,
  },
})

const errorsOf = (tool: Tool): string =>
  tool.faults.length === 0 ? '' : ` Errors: ${tool.faults.map((code) => `${code} (${FAULTS[code].says})`).join(', ')}.`

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

const SEE_IMAGE = '(the image content of this answer)'
const PICTURES = new Set(['data', 'screenshot_b64'])

/**
 * An outcome as tools/call answers it: the same fields as over REST as structured content and as JSON text, pictures as
 * images beside them instead of inside the text.
 */
export function toResult({ body, fault }: CallOutcome) {
  const images: Content[] = []
  const text = JSON.stringify(withoutPictures(body, images))
  const content: Content[] = [{ type: 'text', text }, ...images]
  return fault ? { content, isError: true } : { content, structuredContent: body as Record<string, unknown> }
}

function withoutPictures(value: unknown, images: Content[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPictures(item, images))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as ToolResult).map(([key, inner]) => {
      if (!PICTURES.has(key) || typeof inner !== 'string') return [key, withoutPictures(inner, images)]
      images.push({ type: 'image', data: inner, mimeType: 'image/png' })
      return [key, SEE_IMAGE]
    }),
  )
}
