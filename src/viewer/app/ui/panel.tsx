import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'

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
