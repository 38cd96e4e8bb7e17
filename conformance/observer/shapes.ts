import * as z from 'zod'

const whole = z.int()
const text = z.string()

export const Bounds = z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export type Bounds = z.infer<typeof Bounds>

/** One node of an accessibility tree, with its documented fields only. */
export interface Node {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly value: string | null
  readonly bounds: Bounds
  readonly enabled: boolean
  readonly focused: boolean
  readonly keyboard_shortcut: string | null
  readonly description: string | null
  readonly children: readonly Node[]
}

export const Node: z.ZodType<Node> = z
  .looseObject({
    id: text.min(1),
    name: text,
    role: text.min(1),
    value: text.nullable(),
    bounds: Bounds,
    enabled: z.boolean(),
    focused: z.boolean(),
    keyboard_shortcut: text.nullable(),
    description: text.nullable(),
    get children() {
      return z.array(Node)
    },
  })
  .meta({ id: 'Element' }) as unknown as z.ZodType<Node>

export const Window = z.looseObject({
  index: whole.nonnegative(),
  handle: text.min(1),
  title: text,
  process: text,
  pid: whole,
  bounds: Bounds,
  focused: z.boolean(),
  window_uid: text.min(1),
})
export type Window = z.infer<typeof Window>

/** The eighteen codes, with the HTTP status each is answered with. */
export const CODES = {
  ElementNotFound: 404,
  ElementOccluded: 409,
  ElementDisabled: 409,
  WindowGone: 404,
  WindowOccluded: 409,
  Timeout: 408,
  PatternUnsupported: 501,
  RateLimited: 429,
  BudgetExceeded: 429,
  PermissionDenied: 403,
  ConfirmationRequired: 412,
  ConfirmationInvalid: 412,
  SnapshotExpired: 410,
  ScenarioInvalid: 400,
  PlatformUnsupported: 501,
  PredicateUnsupported: 501,
  BadRequest: 400,
  Internal: 500,
} as const
export type Code = keyof typeof CODES

export const Problem = z.looseObject({
  code: z.enum(Object.keys(CODES) as [Code, ...Code[]]),
  message: text.min(1),
  recoverable: z.boolean(),
  suggested_next_tool: text.nullable(),
  context: z.looseObject({}),
})

/** The failure of a version 2 endpoint. */
export const Refusal = z.looseObject({ ok: z.literal(false), success: z.literal(false), error: Problem })

/** The failure of an original endpoint: a sentence, or the newer object. */
export const LegacyRefusal = z.looseObject({ error: z.union([text.min(1), Problem]) })

export const ActionRefusal = z.looseObject({ success: z.literal(false), error: z.union([text.min(1), Problem]) })

/** A success of a version 2 endpoint with these fields. */
export const success = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.looseObject({ ok: z.literal(true), ...fields } as { ok: z.ZodLiteral<true> } & Fields)

/** The document does not define the format of a hash. */
export const hash = text.min(1)
const token = text.min(1)

export const Windows = success({ count: whole, is_mock: z.boolean(), windows: z.array(Window) })

export const Structure = success({
  window: text,
  window_uid: text,
  element_count: whole.positive(),
  node_count: whole.nonnegative(),
  tree: Node.nullable(),
  tree_hash: hash,
  tree_token: token.nullable(),
  truncated: z.boolean(),
  next_cursor: text.nullable(),
})

export const Description = z.looseObject({
  mode: z.literal('combined'),
  effective_mode: z.literal('combined'),
  accessibility: text.min(1),
  ocr: text.optional(),
  vlm: text.optional(),
})

export const Sketch = z.looseObject({ window: text, grid_width: whole, grid_height: whole, sketch: text })

export const Screenshot = z.looseObject({
  window: text,
  format: z.literal('png'),
  encoding: z.literal('base64'),
  data: z.base64(),
})

export const ActionReply = z.looseObject({ success: z.literal(true), action: text })

export const Capabilities = success({
  platform: text.min(1),
  adapter: text.min(1),
  version: text.min(1),
  protocol_version: z.union([text, z.number()]),
  supports: z.looseObject(
    Object.fromEntries(
      [
        'accessibility_tree',
        'uia_invoke',
        'occlusion_detection',
        'drag',
        'ocr',
        'vlm',
        'redaction',
        'scenarios',
        'tracing',
        'replay',
        'image_blur',
      ].map((name) => [name, z.boolean()]),
    ),
  ),
  config: z.looseObject({ tree_max_depth: whole, ascii_grid: z.unknown() }),
})

export const Monitors = success({
  monitors: z.array(
    z.looseObject({
      index: whole,
      primary: z.boolean(),
      bounds: Bounds,
      scale_factor: z.number().positive(),
      logical_bounds: Bounds,
      physical_bounds: Bounds,
    }),
  ),
})

export const FoundElement = success({
  window_uid: text,
  element_id: text.min(1),
  selector: text.min(1),
  bounds: Bounds,
  ambiguous_matches: whole.positive(),
  all_matches: z
    .array(z.looseObject({ element_id: text.min(1), bounds: Bounds, name: text, role: text.min(1) }))
    .min(1),
})

const Side = z.looseObject({ tree_hash: text, focused_selector: text })

export const Receipt = success({
  step_id: whole.positive(),
  caused_by_step_id: whole.nullable(),
  action: text.min(1),
  dry_run: z.boolean(),
  target: z.looseObject({ window_uid: text, element_id: text, selector: text, bounds: Bounds }),
  before: Side,
  after: Side,
  changed: z.boolean(),
  new_dialogs: z.array(z.looseObject({ window_uid: text, title: text })),
  duration_ms: z.number().nonnegative(),
})
export type Receipt = z.infer<typeof Receipt>

/** The receipt of an action at a point or at the focus, where no element may be. */
export const PointReceipt = Receipt.extend({ target: Receipt.shape.target.nullable() })

export const CustomChange = z.discriminatedUnion('op', [
  z.looseObject({ op: z.literal('replace'), path: text, fields: z.looseObject({}) }),
  z.looseObject({ op: z.literal('add'), path: text, node: Node }),
  z.looseObject({ op: z.literal('remove'), path: text }),
  z.looseObject({ op: z.literal('move'), from: text, to: text }),
])
export type CustomChange = z.infer<typeof CustomChange>

export const PatchOperation = z.looseObject({
  op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
  path: text,
})

/** A whole tree, or what changed since a token. */
export const Observation = z.discriminatedUnion('format', [
  success({ format: z.literal('full'), tree: Node, tree_token: token, base_token: z.null(), tree_hash: hash }),
  success({
    format: z.literal('custom'),
    // The document leaves the operations open.
    changes: z.array(z.unknown()),
    tree_token: token,
    base_token: text.nullish(),
    unchanged: z.boolean(),
    tree_hash: hash,
  }),
  success({
    format: z.literal('json-patch'),
    changes: z.array(PatchOperation),
    tree_token: token,
    base_token: text.nullish(),
    unchanged: z.boolean(),
    tree_hash: hash,
  }),
])
export type Observation = z.infer<typeof Observation>

/** The observation of a composite has no response envelope. */
export const Composite = PointReceipt.extend({ observation: z.looseObject({ format: text }) })

export const WaitMatch = success({
  matched_index: whole.nonnegative(),
  matched_detail: z.looseObject({}),
  elapsed_ms: z.number().nonnegative(),
  polls: whole.positive(),
})

export const WaitTimeout = Refusal.extend({ elapsed_ms: z.number().nonnegative() })

/** The document defines the parameters of wait_idle, but not its result. */
export const IdleResult = success({})

export const SnapshotTaken = success({ snapshot_id: text.min(1), ts: z.number(), summary: z.looseObject({}) })

export const Snapshot = success({
  windows: z.array(z.looseObject({ window_uid: text, title: text })),
  trees: z.record(text, Node.nullable()),
  tree_hashes: z.record(text, text.nullable()),
  ts: z.number(),
})

export const SnapshotDiff = success({
  windows_added: z.array(text),
  windows_removed: z.array(text),
  per_window_changes: z.record(text, z.looseObject({ format: text, changes: z.array(z.unknown()) })),
})

export const TraceStarted = success({ trace_id: text.min(1), started_at: z.union([z.number(), text]), dir: text })
export const TraceStopped = success({
  trace_id: text.min(1),
  path: text.min(1),
  step_count: whole.nonnegative(),
  duration_ms: z.number().nonnegative(),
})
export const TraceStatus = success({
  active_trace_id: text.nullable(),
  step_count: whole.nonnegative(),
  dir: text.nullable(),
})

export const ReplayStarted = success({
  replay_id: text.min(1),
  total: whole.nonnegative(),
  mode: z.enum(['execute', 'verify']),
  label: text.nullable(),
})
export const ReplayStepped = success({
  position: whole.nonnegative(),
  total: whole.nonnegative(),
  finished: z.boolean(),
  tool: text.nullish(),
  actual_summary: z.looseObject({}).nullish(),
})
export const ReplayStatus = success({
  position: whole.nonnegative(),
  total: whole.nonnegative(),
  finished: z.boolean(),
  divergences: z.array(z.unknown()),
})

export const ScenarioLoaded = success({ scenario: text, state: text, states: z.array(text).min(1) })

export const AssertionOutcome = success({
  all_passed: z.boolean(),
  results: z.array(z.looseObject({ kind: text, passed: z.boolean(), observed: z.unknown() })).min(1),
})

/** The document names the budgets, but not their reported fields. */
const Gauge = z.looseObject({
  used: z.number().optional(),
  elapsed: z.number().optional(),
  in_window: z.number().optional(),
  limit: z.number().nullish(),
  remaining: z.number().nullish(),
})

export const BudgetStatus = z.discriminatedUnion('configured', [
  success({ configured: z.literal(false) }),
  success({
    configured: z.literal(true),
    actions: Gauge,
    screenshots: Gauge,
    vlm_tokens: Gauge,
    session_seconds: Gauge,
    actions_per_minute: Gauge,
  }),
])

export const RedactionStatus = success({ enabled: z.boolean(), active: z.boolean() })

export const ProposedAction = success({
  confirm_token: text.min(1),
  expires_at: z.number(),
  would_target: z.looseObject({
    window_uid: text,
    selector: text,
    bounds: Bounds,
    screenshot_b64: text.nullable(),
  }),
})

export const Health = success({
  uptime_s: z.number().nonnegative(),
  step_count: whole.nonnegative(),
  adapter: text.min(1),
  version: text.min(1),
})
