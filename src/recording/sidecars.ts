import { isTooDeep } from '../base/external-values.ts'
import { isToolArguments } from '../observer/result.ts'
import { SIDECAR_NAMES } from '../observer/trace/sidecar-files.ts'
import type { ModelTurn, RecordedEvent, ShownStep, WireExchange } from '../viewer/model/recording.ts'
import type { TraceFiles } from './read-trace.ts'
import type { TableWriter } from './tables.ts'

type Line = Readonly<Record<string, unknown>>

/** Adds the turns of the model and the requests of doors to the steps that they led to, from the files beside a trace. */
export function withSidecars(steps: readonly ShownStep[], files: TraceFiles): readonly ShownStep[] {
  const turns = byStep(linesOf(files, 'model'), steps.length)
  const exchanges = byStep(linesOf(files, 'wire'), steps.length)
  if (turns.size === 0 && exchanges.size === 0) return steps
  return steps.map((step) => {
    const [made, sent] = [turns.get(step.number), exchanges.get(step.number)]
    if (!made && !sent) return step
    return { ...step, ...(made && { model: modelTurn(made) }), ...(sent && { wire: sent.map(wireExchange) }) }
  })
}

/** What the files beside a trace lack by its footer, in words, a line for each file. */
export function missingNotes(files: TraceFiles, footer: Line | undefined): readonly string[] {
  const countsIn = (key: string): Line => (isToolArguments(footer?.[key]) ? footer[key] : {})
  const [written, lost] = [countsIn('notes'), countsIn('lost_notes')]
  return SIDECAR_NAMES.flatMap((name) => {
    const said = (countIn(written, name) ?? 0) + (countIn(lost, name) ?? 0)
    const there = said === 0 ? 0 : linesOf(files, name).length
    return there < said ? [`${said - there} of ${said} lines are missing in ${name}.jsonl`] : []
  })
}

/** The events of agent protocols beside a trace. */
export const sidecarEvents = (files: TraceFiles, tables: TableWriter): readonly RecordedEvent[] =>
  linesOf(files, 'events').map((line) => {
    const wallTime = textIn(line, 'ts')
    return {
      after: countIn(line, 'after') ?? 0,
      ...(wallTime !== undefined && { wallTime }),
      protocol: textIn(line, 'protocol') ?? '',
      direction: line.direction === 'in' ? 'in' : 'out',
      name: textIn(line, 'name') ?? '',
      content: tables.value(line.content ?? null),
    }
  })

/** The lines of a file beside a trace. Lines that cannot be read, such as the last one of a killed process, are left out. */
function linesOf(files: TraceFiles, name: string): readonly Line[] {
  const text = files.read(`${name}.jsonl`)?.toString('utf8') ?? ''
  return text.split('\n').flatMap((line): readonly Line[] => {
    try {
      const value: unknown = JSON.parse(line)
      return isToolArguments(value) && !isTooDeep(value) ? [value] : []
    } catch {
      return []
    }
  })
}

/** Lines by the step that follows the row that they name; those after the last row belong to the last step. */
function byStep(lines: readonly Line[], last: number): ReadonlyMap<number, readonly Line[]> {
  const found = new Map<number, Line[]>()
  for (const line of lines) {
    const number = Math.min(last, (countIn(line, 'after') ?? 0) + 1)
    found.set(number, [...(found.get(number) ?? []), line])
  }
  return found
}

/** Several turns before one call, as after answers that could not be used, are shown as one. */
function modelTurn(lines: readonly Line[]): ModelTurn {
  const texts = (key: string) => lines.flatMap((line) => textIn(line, key) ?? []).join('\n\n')
  const sum = (key: string) => {
    const counts = lines.flatMap((line) => countIn(line, key) ?? [])
    return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0)
  }
  const fields = {
    message: texts('message') || undefined,
    reasoning: texts('reasoning') || undefined,
    inputTokens: sum('input_tokens'),
    outputTokens: sum('output_tokens'),
    costUsd: sum('cost_usd'),
    latencyMs: sum('latency_ms'),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ModelTurn
}

function wireExchange(line: Line): WireExchange {
  const fields = {
    headers: isToolArguments(line.headers) ? (line.headers as Record<string, string>) : undefined,
    body: bodyText(line.body),
    status: countIn(line, 'status'),
    response: bodyText(line.response),
    ms: countIn(line, 'ms'),
  }
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { method: textIn(line, 'method') ?? '', url: textIn(line, 'url') ?? '', ...known }
}

/** A body is a text, or the value of its JSON. */
const bodyText = (body: unknown): string | undefined =>
  body === undefined || typeof body === 'string' ? (body as string | undefined) : JSON.stringify(body, undefined, 2)

const textIn = (line: Line, key: string): string | undefined =>
  typeof line[key] === 'string' ? (line[key] as string) : undefined

const countIn = (line: Line, key: string): number | undefined =>
  typeof line[key] === 'number' && line[key] >= 0 ? (line[key] as number) : undefined
