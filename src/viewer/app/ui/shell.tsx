import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface ShellProps {
  /** The kind of page, such as `Live`. */
  readonly entrance: string
  /** What it shows. */
  readonly title: string
  /** One line about the state of the page, announced to screen readers. */
  readonly status?: string | undefined
  readonly isBad?: boolean
  /** Controls in the header. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** The frame of every entrance: header with title, state and actions, and the content. */
export function Shell({ entrance, title, status, isBad = false, actions, children }: ShellProps) {
  return (
    <div class="shell">
      <header class="top">
        <span class="brand">
          <span class="logo" aria-hidden="true" />
          Backlot
        </span>
        <span class="entrance">{entrance}</span>
        <h1 class="clip" title={title}>
          {title}
        </h1>
        <p class={isBad ? 'status bad' : 'status'} role="status">
          {status}
        </p>
        <div class="top-actions">
          {actions}
          <ThemeButton />
        </div>
      </header>
      <main class="content">{children}</main>
    </div>
  )
}

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const SIGNS: Readonly<Record<Theme, string>> = { auto: '◐', light: '☀', dark: '☾' }
const KEY = 'backlot-theme'

/** Pages that are files may have no storage. */
function storedTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === kept) ?? 'auto'
  } catch {
    return 'auto'
  }
}

/** Shows the page in the theme that the user chose, by default that of the system. */
export function applyTheme(theme: Theme = storedTheme()): void {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // The choice holds until the page is closed.
  }
}

/** A button that goes through the themes. */
function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!
  const words = `Theme: ${theme}. Change to ${next}.`
  const change = () => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <button type="button" class="quiet icon" onClick={change} title={words} aria-label={words}>
      <span aria-hidden="true">{SIGNS[theme]}</span>
    </button>
  )
}
