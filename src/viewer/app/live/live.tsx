import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { keepToken, requestOf, type TokenKind } from '../ui/data.ts'
import { Empty } from '../ui/panel.tsx'
import { Shell } from '../ui/shell.tsx'
import { liveClient, sessionBase } from './client.ts'
import { type LiveState, useScreen } from './use-screen.ts'
import { Workbench } from './workbench.tsx'

/** The live entrance: the desktop of a session, and everything that happens in it. */
export function Live() {
  const base = sessionBase(location.pathname)
  const client = useMemo(() => liveClient(base), [base])
  const live = useScreen(client)
  const { screen, problem } = live
  const title = screen ? (screen.scenario?.name ?? 'Real desktop') : ''
  return (
    <Shell
      entrance="Live"
      title={title}
      status={problem?.message ?? statusOf(live)}
      isBad={problem !== undefined}
      actions={
        <>
          <SessionList base={base} isFollowing={live.isFollowing} />
          <label class="check">
            <input
              type="checkbox"
              checked={live.isFollowing}
              onChange={(event) => live.setFollowing(event.currentTarget.checked)}
            />
            Follow
          </label>
          <button type="button" onClick={() => void live.refresh(true)}>
            Refresh
          </button>
        </>
      }
    >
      <Content live={live} client={client} />
    </Shell>
  )
}

function statusOf({ screen }: LiveState): string {
  if (!screen) return 'connecting…'
  const { windows, synthetic } = screen
  const count = windows.filter(({ popupOf }) => popupOf === undefined).length
  const kind = synthetic ? 'synthetic desktop' : 'real desktop'
  return count === 0 ? `no window is open, ${kind}` : `${count} ${count === 1 ? 'window' : 'windows'}, ${kind}`
}

function Content({ live, client }: { readonly live: LiveState; readonly client: ReturnType<typeof liveClient> }) {
  const { screen, problem, refresh } = live
  if (problem?.token) {
    const kind = problem.token
    const give = (token: string) => {
      keepToken(token, kind)
      void refresh(true)
    }
    return <TokenForm key={kind} kind={kind} message={problem.message} onToken={give} />
  }
  if (screen) return <Workbench live={live} screen={screen} client={client} />
  if (!problem) return <Empty>Connecting…</Empty>
  return (
    <div class="notice" role="alert">
      <h2>Not connected</h2>
      <p>{problem.message}</p>
      <div class="row">
        <button type="button" class="primary" onClick={() => void refresh(true)}>
          Try again
        </button>
      </div>
    </div>
  )
}

interface ListedSession {
  readonly session_id: string
  readonly base_url: string
  readonly scenario: string | null
}

interface SessionListProps {
  /** The path of the session of this page. Empty for the first one. */
  readonly base: string
  readonly isFollowing: boolean
}

/** How often the list is loaded while the page follows. */
const RELOAD_MS = 10_000

/** The sessions of the server, if it has several. Choosing one opens its page. */
function SessionList({ base, isFollowing }: SessionListProps) {
  const [sessions, setSessions] = useState<readonly ListedSession[]>([])
  useEffect(() => {
    const load = () =>
      requestOf('/sessions').then(
        (answer) => setSessions((answer as { readonly sessions: readonly ListedSession[] }).sessions),
        // Without the list, the page still shows its own session.
        () => setSessions([]),
      )
    void load()
    if (!isFollowing) return
    const timer = setInterval(() => !document.hidden && void load(), RELOAD_MS)
    return () => clearInterval(timer)
  }, [isFollowing])
  if (sessions.length === 0 && base === '') return null
  return (
    <label class="row sessions">
      <span class="muted">Session</span>
      <select value={base} onChange={(event) => location.assign(`${event.currentTarget.value}/`)}>
        <option value="">default</option>
        {base !== '' && !sessions.some(({ base_url: each }) => each === base) && <option value={base}>{base}</option>}
        {sessions.map(({ session_id: id, base_url: path, scenario }) => (
          <option key={id} value={path}>
            {id}
            {scenario !== null && ` · ${scenario}`}
          </option>
        ))}
      </select>
    </label>
  )
}

interface TokenFormProps {
  readonly kind: TokenKind
  /** What the server answered. */
  readonly message: string
  readonly onToken: (token: string) => void
}

const LABELS: Readonly<Record<TokenKind, string>> = { server: 'Token of the server', harness: 'Harness token' }

/** Takes the token that the server requires. It is kept until the tab is closed. */
function TokenForm({ kind, message, onToken }: TokenFormProps) {
  const [token, setToken] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      class="notice"
      onSubmit={(event) => {
        event.preventDefault()
        if (token.trim() !== '') onToken(token.trim())
      }}
    >
      <h2>Token required</h2>
      <p>{message}</p>
      <label class="field">
        {LABELS[kind]}
        <input
          ref={field}
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <p class="muted">The page keeps it until this tab is closed.</p>
      <div class="row">
        <button type="submit" class="primary">
          Continue
        </button>
      </div>
    </form>
  )
}
