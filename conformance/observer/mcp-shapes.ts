import * as z from 'zod'
import { Refusal } from './shapes.ts'

/** The answer to initialize. */
export const InitializeResult = z.looseObject({
  protocolVersion: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  serverInfo: z.looseObject({ name: z.string().min(1), version: z.string().min(1) }),
  capabilities: z.looseObject({ tools: z.looseObject({}) }),
})

/** The answer to tools/list. */
export const ToolListResult = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string().min(1),
      description: z.string().min(1),
      inputSchema: z.looseObject({
        type: z.literal('object'),
        properties: z.record(z.string(), z.unknown()).default({}),
        required: z.array(z.string()).default([]),
      }),
    }),
  ),
  nextCursor: z.string().optional(),
})

const Content = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('image'),
    data: z.base64(),
    mimeType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  }),
  z.looseObject({ type: z.literal('resource') }),
  z.looseObject({ type: z.literal('resource_link') }),
])
/** The answer to tools/call. */
export const ToolCallResult = z.looseObject({ content: z.array(Content).min(1), isError: z.boolean().optional() })

/** The error of a request that the protocol refuses. */
export const RpcError = z.looseObject({ code: z.int(), message: z.string() })

/** The text content of a failed tool call. */
export const ToolFailure = Refusal
