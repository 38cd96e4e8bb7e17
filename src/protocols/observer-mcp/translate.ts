import { FAULTS } from '../../base/fault.ts'
import { inputSchema, outputSchema } from '../../observer/registry.ts'
import { type CallOutcome, pictureType, type ToolResult } from '../../observer/result.ts'
import type { Audience, Tool } from '../../observer/tool.ts'

/**
 * A tool in tools/list. Agents do not get the output schema, because most clients put it into every prompt and it is larger than
 * all other parts.
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
  tool.faults.length === 0
    ? ''
    : ` Errors: ${tool.faults.map((code) => `${code} (${FAULTS[code].message})`).join(', ')}.`

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

const IMAGE_PLACEHOLDER = '(the image content of this answer)'
const IMAGE_FIELDS = new Set(['data', 'screenshot_b64'])

/**
 * The result of tools/call: the same fields as over REST, as structured content and as JSON text. Pictures are image content
 * beside the text.
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
      if (!IMAGE_FIELDS.has(key) || typeof inner !== 'string') return [key, withoutPictures(inner, images)]
      images.push({ type: 'image', data: inner, mimeType: pictureType(value as ToolResult) })
      return [key, IMAGE_PLACEHOLDER]
    }),
  )
}
