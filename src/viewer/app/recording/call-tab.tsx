import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { curlText } from '../../model/curl-text.ts'
import type { Recording, ViewerStep, WireExchange } from '../../model/recording.ts'
import { durationText, timeOfDay } from '../../model/time-line.ts'
import { CopyButton, Empty, Properties } from '../ui/panel.tsx'

interface StepTabProps {
  readonly recording: Recording
  readonly step: ViewerStep | undefined
}

/** The call of a step, its result and its times. */
export function CallTab({ recording, step }: StepTabProps) {
  if (!step) return <Empty>The start is before the first step.</Empty>
  const { values } = recording.tables
  const { error } = step
  return (
    <div class="pad stack">
      <p class={`outcome ${step.ok ? 'good' : 'bad'}`}>
        <strong>{step.ok ? '✓ ok' : `✗ ${error?.code ?? 'error'}`}</strong>
        {error?.message !== undefined && <span>{error.message}</span>}
        {step.ok && step.acts && step.changed !== undefined && (
          <span>{step.changed ? 'the desktop changed' : 'the desktop did not change'}</span>
        )}
      </p>
      <Part title="Arguments">
        <JsonView value={values[step.args]} />
      </Part>
      <Part title="Result">
        <JsonView value={values[step.result]} />
      </Part>
      <Part title="Facts">
        <Properties
          of={[
            ['tool', step.tool],
            ['caller', step.caller],
            ['kind', step.acts ? 'acts' : 'observes'],
            ['virtual', `${durationText(step.startMs)} – ${durationText(step.endMs)}`],
            ...(step.wallTime === undefined ? [] : [['wall time', timeOfDay(step.wallTime)] as const]),
            ...(step.wallMs === undefined ? [] : [['took', durationText(step.wallMs)] as const]),
            ...(step.held && step.held.length > 0 ? [['held', step.held.join(' + ')] as const] : []),
          ]}
        />
      </Part>
    </div>
  )
}

/** The turn of the model, its call in its own dialect, and the call that it became. */
export function ModelTab({ recording, step }: StepTabProps) {
  const { model, dialect } = step ?? {}
  if (!step || (!model && !dialect)) return <Empty>The recording has no turn of a model for this step.</Empty>
  const facts: readonly (readonly [string, string])[] = [
    ...(model?.inputTokens === undefined
      ? []
      : [['input', `${model.inputTokens.toLocaleString('en')} tokens`] as const]),
    ...(model?.outputTokens === undefined
      ? []
      : [['output', `${model.outputTokens.toLocaleString('en')} tokens`] as const]),
    ...(model?.costUsd === undefined ? [] : [['cost', `$${Number(model.costUsd.toFixed(6))}`] as const]),
    ...(model?.latencyMs === undefined ? [] : [['latency', durationText(model.latencyMs)] as const]),
  ]
  return (
    <div class="pad stack">
      {model?.message !== undefined && (
        <Part title="Message">
          <p class="prose">{model.message}</p>
        </Part>
      )}
      {model?.reasoning !== undefined && (
        <Part title="Reasoning">
          <p class="prose muted">{model.reasoning}</p>
        </Part>
      )}
      {dialect && (
        <Part title={`Call as ${dialect.door}`}>
          <JsonView value={recording.tables.values[dialect.call]} />
        </Part>
      )}
      <Part title="Call as primitive">
        <JsonView value={{ tool: step.tool, args: recording.tables.values[step.args] }} />
      </Part>
      {facts.length > 0 && (
        <Part title="Usage">
          <Properties of={facts} />
        </Part>
      )}
    </div>
  )
}

/** A titled part of a tab. */
export const Part = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="part">
    <h3>{title}</h3>
    {children}
  </section>
)

interface JsonViewProps {
  readonly value: unknown
}

/** Longer texts are shown in part until the user asks for all. */
const MAX_SHOWN = 8000

/** A value as indented JSON; a string as it is. */
function JsonView({ value }: JsonViewProps) {
  return <LongText text={typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'none')} />
}

/** A text with its line breaks. */
function LongText({ text }: { readonly text: string }) {
  const [shown, setShown] = useState<string>()
  const isCut = text.length > MAX_SHOWN && shown !== text
  return (
    <>
      <pre>{isCut ? `${text.slice(0, MAX_SHOWN)}…` : text}</pre>
      {isCut && (
        <button type="button" onClick={() => setShown(text)}>
          Show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  )
}

/** The requests of a step, each as a command for curl. */
export function WireTab({ step }: { readonly step: ViewerStep | undefined }) {
  const exchanges = step?.wire ?? []
  if (exchanges.length === 0) return <Empty>The recording has no requests of this step.</Empty>
  return (
    <div class="pad stack">
      {exchanges.map((exchange, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a step never changes.
        <Exchange key={`${step!.number} ${index}`} exchange={exchange} />
      ))}
    </div>
  )
}

function Exchange({ exchange }: { readonly exchange: WireExchange }) {
  const { method, url, status, ms, response } = exchange
  const text = curlText(exchange)
  return (
    <article class="exchange">
      <p class="request">
        <strong>{method}</strong> <span class="mono">{url}</span>
        {status !== undefined && <span class={`badge ${status < 400 ? 'good' : 'bad'}`}>{status}</span>}
        {ms !== undefined && <span class="muted">{ms} ms</span>}
      </p>
      <div class="copied">
        <pre class="curl">{text}</pre>
        <CopyButton text={text} what="as curl" />
      </div>
      {response !== undefined && (
        <details>
          <summary>Response</summary>
          <LongText text={response} />
        </details>
      )}
    </article>
  )
}

interface EventTabProps {
  readonly recording: Recording
  readonly number: number
  /** The index of the event that the user chose. */
  readonly chosen: number | undefined
}

/** The events of agent protocols after a step. */
export function EventTab({ recording, number, chosen }: EventTabProps) {
  const events = recording.events.flatMap((event, index) => (event.after === number ? [{ event, index }] : []))
  if (events.length === 0) return <Empty>No event of an agent protocol follows this step.</Empty>
  return (
    <ol class="pad stack">
      {events.map(({ event, index }) => (
        <li key={index} class={index === chosen ? 'exchange chosen' : 'exchange'}>
          <p class="request">
            <span class="badge">{event.direction === 'in' ? 'to the agent' : 'from the agent'}</span>
            <strong>{event.name}</strong>
            <span class="muted">{event.protocol}</span>
            {event.wallTime !== undefined && <span class="muted">{timeOfDay(event.wallTime)}</span>}
          </p>
          <JsonView value={recording.tables.values[event.content]} />
        </li>
      ))}
    </ol>
  )
}
