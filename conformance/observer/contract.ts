import * as z from 'zod'
import type { Contract, Operation, ResponseBody } from '../contract/contract.ts'
import {
  ActionRefusal,
  ActionReply,
  AssertionOutcome,
  Bounds,
  BudgetStatus,
  Capabilities,
  Composite,
  CustomChange,
  Description,
  FoundElement,
  Health,
  IdleResult,
  LegacyRefusal,
  Monitors,
  Node,
  Observation,
  PatchOperation,
  PointReceipt,
  Problem,
  ProposedAction,
  Receipt,
  RedactionStatus,
  Refusal,
  ReplayStarted,
  ReplayStatus,
  ReplayStepped,
  ScenarioLoaded,
  Screenshot,
  Sketch,
  Snapshot,
  SnapshotDiff,
  SnapshotTaken,
  Structure,
  success,
  TraceStarted,
  TraceStatus,
  TraceStopped,
  WaitMatch,
  WaitTimeout,
  Window,
  Windows,
} from './shapes.ts'

/** The statuses of the error table; 500 is a bug of the server, and still has to look like one. */
const STATUSES = [400, 401, 403, 404, 408, 409, 410, 412, 413, 415, 421, 429, 500, 501] as const

const refused = (shape: z.ZodType): Record<number, ResponseBody> =>
  Object.fromEntries(STATUSES.map((status) => [status, shape]))

const V1 = 'API for LLM tool use, REST endpoints'
const OBSERVER_V2 = 'API for LLM tool use, version 2'

const v2 = (answer: ResponseBody, more: Partial<Operation> & Pick<Operation, 'covers'>): Operation => ({
  source: OBSERVER_V2,
  responses: { ...refused(Refusal), 200: answer },
  ...more,
})

const legacy = (answer: ResponseBody, covers: readonly string[], more: Partial<Operation> = {}): Operation => ({
  covers,
  source: V1,
  responses: { ...refused(LegacyRefusal), 200: answer },
  ...more,
})

/** Routes of the reference server that the document does not list. */
const UNDOCUMENTED = { source: 'reference server', optional: true } as const

/** Where an element action goes: a window and an element, or a selector. */
const where = {
  window_uid: z.string().optional(),
  window_index: z.int().optional(),
  element_id: z.string().optional(),
  selector: z.string().optional(),
  dry_run: z.boolean().optional(),
  confirm_token: z.string().optional(),
}
const element = (more: z.ZodRawShape = {}) => z.looseObject({ ...where, ...more })
const end = z.looseObject({
  x: z.number().optional(),
  y: z.number().optional(),
  selector: z.string().optional(),
  element_id: z.string().optional(),
})

const windowOnly = { window_uid: z.string().optional(), window_index: z.int().optional() }
const since = { since: z.string().optional(), wait_after_ms: z.number().optional() }

/** The REST side of the observer's document, both versions. */
export const observerContract: Contract = {
  protocol: 'observer',
  shapes: {
    ActionRefusal,
    ActionReply,
    AssertionOutcome,
    Bounds,
    BudgetStatus,
    Capabilities,
    Composite,
    CustomChange,
    Description,
    FoundElement,
    Health,
    IdleResult,
    LegacyRefusal,
    Monitors,
    Element: Node,
    Observation,
    PatchOperation,
    PointReceipt,
    Problem,
    ProposedAction,
    Receipt,
    RedactionStatus,
    Refusal,
    ReplayStarted,
    ReplayStatus,
    ReplayStepped,
    ScenarioLoaded,
    Screenshot,
    Sketch,
    Snapshot,
    SnapshotDiff,
    SnapshotTaken,
    Structure,
    TraceStarted,
    TraceStatus,
    TraceStopped,
    WaitMatch,
    WaitTimeout,
    Window,
    Windows,
  },
  operations: {
    'GET /api/windows': legacy(Windows, ['O-E1']),
    'GET /api/structure': legacy(Structure, ['O-E2']),
    'GET /api/description': legacy(Description, ['O-E3']),
    'GET /api/sketch': legacy(Sketch, ['O-E4']),
    'GET /api/screenshot': legacy(Screenshot, ['O-E5']),
    'POST /api/action': legacy(ActionReply, ['O-E6'], {
      responses: { ...refused(ActionRefusal), 200: ActionReply },
      body: z.discriminatedUnion('action', [
        z.looseObject({
          action: z.literal('click_at'),
          x: z.int(),
          y: z.int(),
          button: z.enum(['left', 'right', 'middle']).optional(),
          double: z.boolean().optional(),
        }),
        z.looseObject({ action: z.literal('type'), value: z.string() }),
        z.looseObject({ action: z.literal('key'), value: z.string() }),
        z.looseObject({
          action: z.literal('scroll'),
          x: z.int().optional(),
          y: z.int().optional(),
          clicks: z.int().optional(),
        }),
      ]),
    }),
    'GET /api/capabilities': v2(Capabilities, { covers: ['O-E7'] }),
    'GET /api/monitors': v2(Monitors, { covers: ['O-E8'] }),
    'GET /api/find_element': v2(FoundElement, { covers: ['O-E9'] }),
    'POST /api/element/click': v2(Receipt, {
      covers: ['O-E10'],
      body: element({ button: z.enum(['left', 'right', 'middle']).optional(), count: z.int().positive().optional() }),
    }),
    'POST /api/element/focus': v2(Receipt, { covers: ['O-E11'], body: element() }),
    'POST /api/element/invoke': v2(Receipt, { covers: ['O-E12'], body: element() }),
    'POST /api/element/set_value': v2(Receipt, {
      covers: ['O-E13'],
      body: element({ value: z.string().nullable(), clear_first: z.boolean().optional() }),
    }),
    'POST /api/element/select': v2(Receipt, {
      covers: ['O-E14'],
      body: element({ option_name: z.string().optional(), option_index: z.int().optional() }),
    }),
    'POST /api/hover': v2(PointReceipt, {
      covers: ['O-E15'],
      body: element({ x: z.number().optional(), y: z.number().optional(), hover_ms: z.number().optional() }),
    }),
    'POST /api/element/right_click': v2(Receipt, { covers: ['O-E16'], body: element() }),
    'POST /api/element/double_click': v2(Receipt, { covers: ['O-E17'], body: element() }),
    'POST /api/element/key': v2(Receipt, { covers: ['O-E18'], body: element({ keys: z.string() }) }),
    'POST /api/element/clear_text': v2(Receipt, { covers: ['O-E19'], body: element() }),
    'POST /api/drag': v2(PointReceipt, {
      capability: 'drag',
      covers: ['O-E20'],
      body: z.looseObject({
        ...windowOnly,
        from: end,
        to: end,
        modifiers: z.array(z.string()).optional(),
        duration_s: z.number().optional(),
      }),
    }),
    'GET /api/observe': v2(Observation, { covers: ['O-E21'] }),
    'POST /api/wait_for': v2(WaitMatch, {
      covers: ['O-E22'],
      body: z.looseObject({
        any_of: z.array(z.looseObject({ type: z.string() })).min(1),
        timeout_ms: z.number().optional(),
        poll_ms: z.number().optional(),
        window_uid: z.string().optional(),
      }),
      responses: { ...refused(Refusal), 200: WaitMatch, 408: WaitTimeout.extend({ polls: z.int().nonnegative() }) },
    }),
    'POST /api/wait_idle': v2(IdleResult, {
      covers: ['O-E23'],
      body: z.looseObject({
        ...windowOnly,
        quiet_ms: z.number().optional(),
        timeout_ms: z.number().optional(),
        poll_ms: z.number().optional(),
      }),
      responses: { ...refused(Refusal), 200: IdleResult },
    }),
    'POST /api/element/click_and_observe': v2(Composite, { covers: ['O-E24'], body: element(since) }),
    'POST /api/type_and_observe': v2(Composite, {
      covers: ['O-E25'],
      body: z.looseObject({ text: z.string(), ...since, window_uid: z.string().optional() }),
    }),
    'POST /api/key_and_observe': v2(Composite, {
      covers: ['O-E26'],
      body: z.looseObject({ keys: z.string(), ...since, window_uid: z.string().optional() }),
    }),
    'POST /api/snapshot': v2(SnapshotTaken, { covers: ['O-E27'] }),
    'GET /api/snapshot/{id}': v2(Snapshot, { covers: ['O-E28'] }),
    'POST /api/snapshot/diff': v2(SnapshotDiff, {
      covers: ['O-E29'],
      body: z.looseObject({ a: z.string(), b: z.string(), format: z.enum(['custom', 'json-patch']).optional() }),
    }),
    'DELETE /api/snapshot/{id}': v2(success({ dropped: z.boolean() }), { covers: ['O-E30'] }),
    'POST /api/trace/start': v2(TraceStarted, {
      capability: 'tracing',
      covers: ['O-E31'],
      body: z.looseObject({ label: z.string().optional() }),
    }),
    'POST /api/trace/stop': v2(TraceStopped, { capability: 'tracing', covers: ['O-E32'] }),
    'GET /api/trace/status': v2(TraceStatus, { capability: 'tracing', covers: ['O-E33'] }),
    'POST /api/replay/start': v2(ReplayStarted, {
      capability: 'replay',
      covers: ['O-E34'],
      body: z.looseObject({
        path: z.string(),
        mode: z.enum(['execute', 'verify']).optional(),
        on_divergence: z.enum(['stop', 'warn', 'resume']).optional(),
      }),
    }),
    'POST /api/replay/step': v2(ReplayStepped, {
      capability: 'replay',
      covers: ['O-E35'],
      body: z.looseObject({ replay_id: z.string() }),
    }),
    'POST /api/replay/status': v2(ReplayStatus, {
      capability: 'replay',
      covers: ['O-E36'],
      body: z.looseObject({ replay_id: z.string() }),
    }),
    'POST /api/replay/stop': v2(success({ stopped: z.boolean() }), {
      capability: 'replay',
      covers: ['O-E37'],
      body: z.looseObject({ replay_id: z.string() }),
    }),
    'POST /api/scenario/load': v2(ScenarioLoaded, {
      capability: 'scenarios',
      covers: ['O-E38'],
      body: z.looseObject({ path: z.string() }),
    }),
    'POST /api/assert_state': v2(AssertionOutcome, {
      covers: ['O-E39'],
      body: z.looseObject({ predicate: z.array(z.looseObject({ kind: z.string() })).min(1) }),
    }),
    'GET /api/budget_status': v2(BudgetStatus, { covers: ['O-E40'] }),
    'GET /api/redaction_status': v2(RedactionStatus, { covers: ['O-E41'] }),
    'POST /api/propose_action': v2(ProposedAction, {
      covers: ['O-E42'],
      body: z.looseObject({ action: z.string(), args: z.looseObject({}) }),
    }),
    'GET /api/healthz': v2(Health, { covers: ['O-E43'] }),
    'GET /api/metrics': v2('text', { covers: ['O-E44'] }),
    'GET /': v2('html', { covers: ['O-E45'] }),
    'GET /api/tools': v2(success({ tools: z.array(z.string()) }), { covers: ['O-E46'], ...UNDOCUMENTED }),
    'GET /api/tool/{name}': v2(z.looseObject({ ok: z.boolean() }), { covers: ['O-E47'], ...UNDOCUMENTED }),
    'POST /api/tool/{name}': v2(z.looseObject({ ok: z.boolean() }), {
      covers: ['O-E47'],
      ...UNDOCUMENTED,
      body: z.looseObject({}),
    }),
    'GET /api/screenshot/cropped': v2(Screenshot, { covers: ['O-E48'], ...UNDOCUMENTED }),
    'GET /api/ocr': v2(
      success({ words: z.array(z.looseObject({ text: z.string(), confidence: z.number(), bbox: z.unknown() })) }),
      { covers: ['O-E49'], ...UNDOCUMENTED },
    ),
    'GET /api/full_screenshot': legacy(Screenshot.extend({ width: z.int(), height: z.int() }), ['O-E50'], UNDOCUMENTED),
    'GET /api/visible_areas': legacy(
      z.looseObject({ window: z.string(), visible_regions: z.array(z.unknown()) }),
      ['O-E51'],
      UNDOCUMENTED,
    ),
    'GET /api/bring_to_foreground': legacy(
      z.looseObject({ success: z.literal(true), window_uid: z.string() }),
      ['O-E52'],
      UNDOCUMENTED,
    ),
  },
  announces: 'GET /api/capabilities',
  events: {},
  messages: {},
}
