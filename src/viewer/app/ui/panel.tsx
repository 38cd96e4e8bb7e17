import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

interface PanelProps {
  readonly title: string
  /** Beside the title, such as a count. */
  readonly note?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly class?: string
  /** Whether the content may be longer than its region and has nothing else that takes the keyboard. */
  readonly isLong?: boolean
  readonly children: ComponentChildren
}

/** A titled region of the page. Its content scrolls. */
export function Panel({ title, note, actions, class: kind = '', isLong = false, children }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${kind}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="muted clip">{note}</span>}
        <span class="grow" />
        {actions}
      </div>
      <div class="panel-body" {...(isLong && { tabIndex: 0 })}>
        {children}
      </div>
    </section>
  )
}

/** What a region says when it has nothing to show. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>

/** Names and texts, one per line. */
export const Properties = ({ of }: { readonly of: readonly (readonly [name: string, text: ComponentChildren])[] }) => (
  <dl class="properties">
    {of.map(([name, text]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
)

interface CopyProps {
  readonly text: string
  /** What is copied, such as `selector`. */
  readonly what: string
}

/** How long the button says that it has copied. */
const SAID_MS = 1500

/** A button that copies a text. */
export function CopyButton({ text, what }: CopyProps) {
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => setSaid((await copyText(text)) ? 'Copied' : 'Not copied')
  return (
    <button type="button" class="small" onClick={copy} aria-label={`Copy ${what}`}>
      <span aria-live="polite">{said ?? 'Copy'}</span>
    </button>
  )
}

/** Copies a text. Pages without a secure origin, such as those of another machine, have no clipboard of their own. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    return isCopied
  }
}

/** Saves a text as a file of the user. */
export function downloadText(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

interface Tab<Name extends string> {
  readonly name: Name
  readonly label: string
  /** Beside the label, such as a count. */
  readonly note?: string | number | undefined
}

interface TabsProps<Name extends string> {
  /** What the tabs choose between. */
  readonly label: string
  readonly tabs: readonly Tab<Name>[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
  /** The content of the chosen tab. */
  readonly children: ComponentChildren
}

/** Tabs above their content. The arrow keys, Home and End choose. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Name>) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [box, tab] = [row.current, row.current?.querySelector<HTMLElement>('[aria-selected="true"]')]
    if (!box || !tab) return
    // Scrolls the row only: scrollIntoView would also move the page.
    const [start, end] = [tab.offsetLeft - box.offsetLeft, tab.offsetLeft - box.offsetLeft + tab.offsetWidth]
    if (start < box.scrollLeft) box.scrollLeft = start
    else if (end > box.scrollLeft + box.clientWidth) box.scrollLeft = end - box.clientWidth
  }, [chosen])
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === chosen)
    const last = tabs.length - 1
    const to: Readonly<Record<string, number>> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }
    const next = tabs[to[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    onChoose(next.name)
    const button = row.current?.children[to[event.key]!]
    if (button instanceof HTMLElement) button.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-row" role="tablist" aria-label={label} ref={row} onKeyDown={move}>
        {tabs.map(({ name, label: text, note }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {text}
            {note !== undefined && <span class="badge">{note}</span>}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be reached by keyboard. */}
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </div>
  )
}
