import { useState } from 'preact/hooks'
import type { LiveActionExplanation, LiveExplanation, LiveOracle, LiveOracles, LiveStorage } from '../../model/live.ts'
import { keyed } from '../ui/lists.ts'
import { Empty } from '../ui/panel.tsx'
import { jsonText } from './log-panel.tsx'

const TITLES: Readonly<Record<LiveOracle['group'], string>> = {
  success: 'Success: all must hold',
  failure: 'Failure: none may hold',
  harm: 'Harm: none may hold',
  attack: 'Attack: none may hold',
}

/** The oracles of the scenario with their state now, and the reward. */
export function OraclePanel({ oracles }: { readonly oracles: LiveOracles | null }) {
  if (!oracles) return <Empty>A real desktop has no oracles.</Empty>
  const { reward, score, entries } = oracles
  if (entries.length === 0) return <Empty>The scenario has no oracles.</Empty>
  const kind = reward > 0 ? 'good' : reward < 0 ? 'bad' : 'muted'
  const groups = (Object.keys(TITLES) as LiveOracle['group'][]).filter((group) =>
    entries.some((entry) => entry.group === group),
  )
  return (
    <div class="pad">
      <p class="reward">
        Reward <strong class={kind}>{reward}</strong>
        <span class="muted"> · score {Number(score.toFixed(3))}</span>
      </p>
      {groups.map((group) => (
        <section key={group} class="oracles">
          <h2 class="sub">{TITLES[group]}</h2>
          <ul>
            {keyed(entries.filter((entry) => entry.group === group)).map(({ key, item }) => (
              <Oracle key={key} entry={item} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Oracle({ entry: { group, kind, text, message, passed } }: { readonly entry: LiveOracle }) {
  // An oracle of success should hold, the others should not.
  const isRight = passed === (group === 'success')
  const [sign, words, tone] =
    passed === null
      ? ['–', 'not evaluated', 'muted']
      : [passed ? '✓' : '✗', passed ? 'holds' : 'does not hold', isRight ? 'good' : group === 'success' ? '' : 'bad']
  return (
    <li>
      <span class={`sign ${tone}`} title={words}>
        <span aria-hidden="true">{sign}</span>
        <span class="sr-only">{words}</span>
      </span>
      <span>
        <strong>{kind}</strong> <code>{text}</code>
        {message !== null && <span class="muted"> {message}</span>}
      </span>
    </li>
  )
}

interface ReactionProps {
  readonly explanation: LiveExplanation | undefined
  readonly problem: string | undefined
  /** The selected element, in words. */
  readonly selected: string | undefined
  /** Explains a call on the selected element that is not made. */
  readonly onExplain: (tool: string, more: Readonly<Record<string, string>>) => void
}

/** The calls that can be asked about, and the argument that the user gives for each. */
const QUESTIONS = [
  { tool: 'click_element', label: 'click' },
  { tool: 'double_click_element', label: 'double-click' },
  { tool: 'right_click_element', label: 'right-click' },
  { tool: 'hover_element', label: 'hover' },
  { tool: 'set_value', label: 'set the value to', argument: 'value' },
  { tool: 'key_into_element', label: 'press', argument: 'keys' },
] as const

/** Explains why reactions and timers matched a call or not, or would match one that is not made. */
export function ReactionPanel({ explanation, problem, selected, onExplain }: ReactionProps) {
  const [asked, setAsked] = useState(0)
  const [value, setValue] = useState('')
  const question = QUESTIONS[asked] ?? QUESTIONS[0]
  const argument = 'argument' in question ? question.argument : undefined
  return (
    <div class="pad reactions">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          onExplain(question.tool, argument ? { [argument]: value } : {})
        }}
      >
        <label class="row">
          What if I
          <select value={asked} onChange={(event) => setAsked(Number(event.currentTarget.value))}>
            {QUESTIONS.map(({ tool, label }, at) => (
              <option key={tool} value={at}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {argument && (
          <input
            required
            aria-label={argument}
            placeholder={argument === 'keys' ? 'ctrl+s' : 'text'}
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        )}
        <span class="clip">{selected ?? <span class="muted">(select an element first)</span>}</span>
        <button type="submit" disabled={selected === undefined}>
          Explain
        </button>
      </form>
      {problem !== undefined && (
        <p class="bad" role="status">
          {problem}
        </p>
      )}
      {!explanation && problem === undefined && (
        <Empty>
          Select an element and ask, or open a call in the log and choose “Why these reactions?”. Nothing is done.
        </Empty>
      )}
      {explanation && <Explanation explanation={explanation} />}
    </div>
  )
}

function Explanation({ explanation: { call, refused, actions } }: { readonly explanation: LiveExplanation }) {
  return (
    <section aria-label="Explanation">
      <pre class="explained">{call}</pre>
      {refused !== null && <p class="bad">Refused: {refused}</p>}
      {refused === null && actions.length === 0 && <p class="muted">It performs no action on the desktop.</p>}
      {keyed(actions).map(({ key, item }) => (
        <ActionExplanation key={key} action={item} />
      ))}
    </section>
  )
}

const TONES: Readonly<Record<string, string>> = { applies: 'good', hidden: 'warn', starts: 'good', runs: 'warn' }

function ActionExplanation({ action }: { readonly action: LiveActionExplanation }) {
  const { state, events, refused, reactions, timers } = action
  return (
    <>
      <p>
        In state <strong>{state}</strong>
        {events.length > 0 && <span class="muted"> · events: {events.join(', ')}</span>}
      </p>
      {refused !== null && <p class="bad">The desktop does not take it: {refused}</p>}
      {reactions.length + timers.length === 0 && <p class="muted">This state has no reactions and timers.</p>}
      <ul class="explanations">
        {[
          ...reactions.map((each) => ({ ...each, name: `reactions[${each.index}]`, when: undefined })),
          ...timers.map((each) => ({
            ...each,
            name: `timers[${each.index}]`,
            when: each.fires_in_ms === null ? undefined : `fires in ${each.fires_in_ms} ms`,
          })),
        ].map(({ name, text, outcome, reasons, when }) => (
          <li key={name}>
            <span class={`badge ${TONES[outcome] ?? ''}`}>{outcome}</span>
            <span>
              <code>{name}</code> {text}
              {when && <span class="muted"> · {when}</span>}
              {keyed(reasons).map(({ key, item }) => (
                <span key={key} class="reason">
                  {item}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

interface DataProps {
  readonly storage: LiveStorage
  /** Reads a file of the desktop. */
  readonly onRead: (path: string) => Promise<string>
}

/** Variables, clipboard and files of the desktop. */
export function DataPanel({ storage, onRead }: DataProps) {
  const [opened, setOpened] = useState<{ readonly path: string; readonly text: string }>()
  const { withheld, variables = {}, clipboard = '', files = [], more_files: hasMore } = storage
  if (withheld !== null) return <Empty>{withheld}</Empty>
  const read = async (path: string) => {
    const text = await onRead(path).catch((thrown: unknown) => String((thrown as Error).message))
    setOpened({ path, text })
  }
  const names = Object.entries(variables)
  return (
    <div class="data">
      <section>
        <h2 class="sub">Variables</h2>
        {names.length === 0 && <p class="muted">none</p>}
        <table>
          <tbody>
            {names.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <pre>{jsonText(value)}</pre>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section>
        <h2 class="sub">Clipboard</h2>
        {clipboard === '' ? <p class="muted">empty</p> : <pre>{clipboard}</pre>}
      </section>
      <section>
        <h2 class="sub">Files</h2>
        {files.length === 0 && <p class="muted">none</p>}
        <ul class="files">
          {files.map(({ path, folder, size }) => (
            <li key={path}>
              {folder ? (
                <span class="mono">{path}/</span>
              ) : (
                <button
                  type="button"
                  class="quiet mono"
                  aria-expanded={opened?.path === path}
                  onClick={() => (opened?.path === path ? setOpened(undefined) : void read(path))}
                >
                  {path}
                </button>
              )}
              {!folder && <span class="muted"> {size} bytes</span>}
              {opened?.path === path && <pre class="code">{opened.text}</pre>}
            </li>
          ))}
        </ul>
        {hasMore && <p class="muted">More files are not listed.</p>}
      </section>
    </div>
  )
}
