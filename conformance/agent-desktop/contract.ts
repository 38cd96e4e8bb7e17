import * as z from 'zod'
import type { Contract } from '../contract/contract.ts'

const text = z.string()

/** The versions of the envelope that are known. */
const Version = z.string().regex(/^2\.\d+$/)

export const Success = z.looseObject({ version: Version, ok: z.literal(true), command: text, data: z.unknown() })

export const CODES = [
  'PERM_DENIED',
  'ELEMENT_NOT_FOUND',
  'APP_NOT_FOUND',
  'ACTION_FAILED',
  'ACTION_NOT_SUPPORTED',
  'STALE_REF',
  'AMBIGUOUS_TARGET',
  'WINDOW_NOT_FOUND',
  'PLATFORM_NOT_SUPPORTED',
  'TIMEOUT',
  'INVALID_ARGS',
  'NOTIFICATION_NOT_FOUND',
  'SNAPSHOT_NOT_FOUND',
  'POLICY_DENIED',
  'APP_UNRESPONSIVE',
  'INTERNAL',
] as const

export const Disposition = z.union([
  z.looseObject({ delivery: z.literal('not_delivered'), retry: z.literal('safe') }),
  z.looseObject({
    delivery: z.enum(['delivery_uncertain', 'delivered_unverified', 'delivered_verified']),
    retry: z.literal('unsafe'),
  }),
  z.looseObject({ delivery: z.literal('unknown'), retry: z.literal('unknown') }),
])

export const Trouble = z.looseObject({
  code: text,
  message: text.min(1),
  disposition: z.looseObject({ delivery: text, retry: text }),
  recovery: z.looseObject({ strategy: text, retryable: z.boolean(), requires_fresh_snapshot: z.boolean() }).optional(),
  details: z.looseObject({ kind: text.optional() }).optional(),
})

export const Failure = z.looseObject({ version: Version, ok: z.literal(false), command: text, error: Trouble })

export const Bounds = z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })

/** An element of a snapshot. */
export const Node = z.looseObject({
  ref_id: text.optional(),
  role: text,
  name: text.optional(),
  value: text.optional(),
  states: z.array(text).optional(),
  available_actions: z.array(text).optional(),
  bounds: Bounds.optional(),
  children_count: z.int().nonnegative().optional(),
  get children() {
    return z.array(Node).optional()
  },
})
export type Node = z.infer<typeof Node>

export const Snapshot = z.looseObject({
  app: text,
  window: z.looseObject({ id: text, title: text }),
  ref_count: z.int().nonnegative(),
  snapshot_id: z.string().regex(/^[A-Za-z0-9_-]{3,64}$/),
  complete: z.boolean(),
  tree: Node,
})
export type Snapshot = z.infer<typeof Snapshot>

export const ActionData = z.looseObject({ action: text, disposition: z.looseObject({ delivery: text, retry: text }) })

export const ListedWindow = z.looseObject({ id: text, title: text, app_name: text, pid: z.int(), bounds: Bounds })

export const BatchEntry = z.looseObject({
  command: text,
  index: z.int().nonnegative(),
  ok: z.boolean(),
  execution: z.enum(['completed', 'not_started']),
  data: z.unknown().optional(),
  error: Trouble.optional(),
})

export const BatchData = z.looseObject({
  results: z.array(BatchEntry),
  total_entries: z.int(),
  completed_entries: z.int(),
  not_started_entries: z.int(),
})

/** The command line of agent-desktop. It has no addresses: its shapes are those of what a call prints. */
export const agentDesktopContract: Contract = {
  protocol: 'agent-desktop',
  operations: {},
  events: {},
  messages: {},
  shapes: { Success, Failure, Trouble, Node, Snapshot, ActionData, ListedWindow, BatchData, BatchEntry },
}
