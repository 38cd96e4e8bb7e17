import * as z from 'zod'

const text = z.string()
const id = text.min(1)
const anything = z.looseObject({})

/** The first message of a socket. */
export const HandshakeMessage = z.looseObject({
  type: z.literal('handshake'),
  user_id: id,
  agent_definition: z.looseObject({ version: z.number().optional() }).nullish(),
})

/** Fields of earlier handshakes, which the backend rejects. */
export const REMOVED_FIELDS: ReadonlySet<string> = new Set([
  'operating_system',
  'available_tools',
  'available_coordinate_methods',
  'requested_agent_policy',
])

/** Every message after the handshake. */
export const Envelope = z.looseObject({ id, type: id, payload: anything })

export const ENVELOPE_FIELDS: ReadonlySet<string> = new Set(['id', 'type', 'payload', 'timestamp', 'user_id'])

/** The payloads of the documented messages. */
export const PAYLOADS = {
  query: z.looseObject({
    text,
    conversation_ref: id,
    content: text.nullish(),
    screenshot_ref: text.nullish(),
    screenshot_refs: z.array(text).nullish(),
  }),
  'rehydrate-conversation': z.looseObject({ conversation_ref: id, messages: z.array(anything) }),
  'load-settings': anything,
  'update-settings': anything,
  'list-models': anything,
  'tool-result': z.looseObject({ request_id: id, success: z.boolean(), data: anything.nullish() }),
  'tool-bundle-result': z.looseObject({
    bundle_id: id,
    status: z.enum(['success', 'partial_failure', 'failure']),
    step_results: z.array(anything),
  }),
  'wakeword-detected': anything,
  // Clients of the desktop program send these as well.
  'stop-query': anything,
  'compact-history': anything,
} as const
