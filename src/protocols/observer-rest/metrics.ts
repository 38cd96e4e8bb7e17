import { Counter, Gauge, Registry } from 'prom-client'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'

interface Measure {
  readonly name: string
  readonly help: string
  readonly read: (session: DesktopSession) => number
}

const GAUGES: readonly Measure[] = [
  { name: 'oso_step_count', help: 'Calls since the start', read: ({ steps }) => steps },
  {
    name: 'oso_uptime_seconds',
    help: 'Seconds since the start, by the clock of the operator',
    read: (session) => Math.floor((session.operatorClock.now() - session.startedMs) / 1000),
  },
  { name: 'oso_actions_used', help: 'Actions that count against the budget', read: ({ budget }) => budget.actions },
  {
    name: 'oso_screenshots_used',
    help: 'Screenshots that count against the budget',
    read: ({ budget }) => budget.screenshots,
  },
  {
    name: 'oso_active_trace',
    help: '1 while a trace is written',
    read: ({ context }) => Number(context.tracing.active),
  },
  {
    name: 'oso_tree_cache_entries',
    help: 'Windows whose trees are remembered',
    read: ({ context }) => context.trees.windows,
  },
  {
    name: 'oso_tree_capture_ms_max',
    help: 'The longest capture in ms',
    read: ({ context }) => context.trees.captureMsMost,
  },
]

const COUNTERS: readonly Measure[] = [
  { name: 'oso_tree_cache_hits_total', help: 'Trees that had not changed', read: ({ context }) => context.trees.hits },
  { name: 'oso_tree_cache_misses_total', help: 'Trees that had changed', read: ({ context }) => context.trees.misses },
]

/** The response of GET /api/metrics: the figures of one session and the number of sessions, in Prometheus text format. */
export async function metricsOf(session: DesktopSession, sessions: DesktopSessions): Promise<string> {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({ name: 'oso_sessions', help: 'Desktops besides the first', registers }).set(sessions.size)
  for (const { name, help, read } of GAUGES) new Gauge({ name, help, registers }).set(read(session))
  for (const { name, help, read } of COUNTERS) new Counter({ name, help, registers }).inc(read(session))
  const calls = new Counter({
    name: 'oso_tool_calls_total',
    help: 'Calls by tool and by how they ended',
    labelNames: ['tool', 'ok'],
    registers,
  })
  for (const [tool, { ok, failed }] of session.callCounts.calls) {
    if (ok > 0) calls.inc({ tool, ok: 'true' }, ok)
    if (failed > 0) calls.inc({ tool, ok: 'false' }, failed)
  }
  const errors = new Counter({
    name: 'oso_errors_total',
    help: 'Refused calls by code',
    labelNames: ['code'],
    registers,
  })
  for (const [code, count] of session.callCounts.errors) errors.inc({ code }, count)
  return `${await registry.metrics()}${captureSummary(session)}`
}

/** Writes the summary by hand, because the library records only single observations and here sum and count are known. */
const captureSummary = ({ context: { trees } }: DesktopSession): string =>
  [
    '# HELP oso_tree_capture_ms Milliseconds spent on capturing trees',
    '# TYPE oso_tree_capture_ms summary',
    `oso_tree_capture_ms_sum ${trees.captureMsTotal}`,
    `oso_tree_capture_ms_count ${trees.captured}`,
    '',
  ].join('\n')
