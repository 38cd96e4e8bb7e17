import { useMemo } from 'preact/hooks'
import type { RecordedOracle, Recording } from '../../model/recording.ts'
import { fieldsOf, inlineText, isWelcome, type OracleRun, oracleRuns, valueChanges } from '../../model/step-list.ts'
import { Empty } from '../ui/panel.tsx'
import { Part } from './call-tab.tsx'

interface MomentTabProps {
  readonly recording: Recording
  readonly number: number
}

/** State and variables after a step, what changed in them, and which parts of the scenario fired. */
export function StateTab({ recording, number }: MomentTabProps) {
  const { moments, steps, tables } = recording
  const [before, after] = [moments[number - 1], moments[number]!]
  const fired = steps[number - 1]?.fired ?? []
  const valuesOf = (index: number | undefined) => (index === undefined ? undefined : tables.values[index])
  const [old, now] = [valuesOf(before?.variables), valuesOf(after.variables)]
  const changed = new Map((before ? valueChanges(old, now) : []).map((change) => [change.name, change]))
  const names = [...new Set([...fieldsOf(now).keys(), ...changed.keys()])]
  if (after.state === undefined && names.length === 0 && fired.length === 0 && after.clipboard === undefined)
    return <Empty>The recording has no state of this moment.</Empty>
  return (
    <div class="pad stack">
      {after.state !== undefined && (
        <Part title="State">
          <p>
            {before?.state !== undefined && before.state !== after.state && (
              <>
                <del>{before.state}</del>{' '}
              </>
            )}
            {before && before.state !== after.state ? <ins>{after.state}</ins> : <span>{after.state}</span>}
          </p>
        </Part>
      )}
      {number > 0 && (
        <Part title="Fired">
          {fired.length === 0 ? (
            <p class="muted">Nothing fired.</p>
          ) : (
            <ul class="fired">
              {fired.map(({ kind, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list of a step never changes.
                <li key={index}>
                  <span class={`badge ${kind === 'fault' ? 'bad' : ''}`}>{kind}</span> <span>{text}</span>
                </li>
              ))}
            </ul>
          )}
        </Part>
      )}
      <Part title="Variables">
        {names.length === 0 ? (
          <p class="muted">No variables.</p>
        ) : (
          <table class="variables">
            <thead class="sr-only">
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              {names.map((name) => {
                const change = changed.get(name)
                return (
                  <tr key={name} class={change ? 'changed' : ''}>
                    <th scope="row">{name}</th>
                    <td>
                      {change ? (
                        <>
                          <del>{change.before === undefined ? 'none' : inlineText(change.before)}</del>{' '}
                          <ins>{change.after === undefined ? 'none' : inlineText(change.after)}</ins>
                        </>
                      ) : (
                        inlineText(fieldsOf(now).get(name))
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
      </Part>
      {after.clipboard !== undefined && (
        <Part title="Clipboard">
          <pre>{after.clipboard}</pre>
        </Part>
      )}
    </div>
  )
}

interface OracleTabProps {
  readonly recording: Recording
  readonly number: number
  readonly onGo: (number: number) => void
}

/** Each oracle over all steps, and when success became impossible. */
export function OracleTab({ recording, number, onGo }: OracleTabProps) {
  const { oracles, moments, lostAt, steps } = recording
  const rows = useMemo(() => oracles.map((_, index) => oracleRuns(recording, index)), [recording])
  const share = (moment: number) => `${(moment / moments.length) * 100}%`
  if (oracles.length === 0) return <Empty>The recording has no oracles.</Empty>
  return (
    <div class="pad stack oracles">
      {lostAt !== undefined && lostAt <= steps.length && (
        <p class="lost-note">
          <span>
            Success was impossible after <strong>step {lostAt}</strong>.
          </span>
          <button type="button" onClick={() => onGo(lostAt)}>
            Go to step {lostAt}
          </button>
        </p>
      )}
      <ul class="matrix">
        {oracles.map((oracle, index) => {
          const runs = rows[index]!
          const holds = moments[number]!.oracles?.[index] ?? null
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the oracles of a recording never change.
            <li key={index}>
              <p>
                <Status kind={oracle.kind} holds={holds} />
                <span class="badge">{oracle.kind}</span> {oracle.text}
              </p>
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the scrubber goes to a step by keyboard. */}
              <div
                class="runs"
                role="img"
                aria-label={runsText(runs)}
                onClick={(event) => {
                  const { left, width } = event.currentTarget.getBoundingClientRect()
                  onGo(Math.min(steps.length, Math.floor(((event.clientX - left) / width) * moments.length)))
                }}
              >
                <Runs oracle={oracle} runs={runs} count={moments.length} />
                {lostAt !== undefined && <span class="lost" style={{ left: share(lostAt + 1) }} />}
                <span class="here" style={{ left: share(number), width: share(1) }} />
              </div>
            </li>
          )
        })}
      </ul>
      <p class="muted matrix-key">
        <i class="welcome" /> as wanted <i class="unwelcome" /> not as wanted <i class="unknown" /> not known
      </p>
    </div>
  )
}

function Status({ kind, holds }: { readonly kind: string; readonly holds: boolean | null }) {
  const welcome = isWelcome(kind, holds)
  const tone = welcome === undefined ? 'muted' : welcome ? 'good' : 'bad'
  return <strong class={tone}>{holds === null ? '? unknown' : holds ? '✓ holds' : '✗ does not hold'}</strong>
}

/** The status of one oracle: one path for each kind. */
function Runs({
  oracle,
  runs,
  count,
}: {
  readonly oracle: RecordedOracle
  readonly runs: readonly OracleRun[]
  readonly count: number
}) {
  const path = (wanted: boolean | undefined) =>
    runs
      .filter(({ holds }) => isWelcome(oracle.kind, holds) === wanted)
      .map(({ from, to }) => `M${from} 0H${to + 1}V1H${from}Z`)
      .join('')
  return (
    <svg viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" aria-hidden="true">
      <path class="unknown" d={path(undefined)} />
      <path class="unwelcome" d={path(false)} />
      <path class="welcome" d={path(true)} />
    </svg>
  )
}

const MAX_WORDS = 12

/** The runs in words, such as `holds from step 3 to 17`. */
function runsText(runs: readonly OracleRun[]): string {
  const texts = runs.slice(0, MAX_WORDS).map(({ from, to, holds }) => {
    const status = holds === null ? 'not known' : holds ? 'holds' : 'does not hold'
    return `${status} ${from === to ? `at ${from}` : `from ${from} to ${to}`}`
  })
  return [...texts, ...(runs.length > MAX_WORDS ? [`and ${runs.length - MAX_WORDS} more changes`] : [])].join(', ')
}
