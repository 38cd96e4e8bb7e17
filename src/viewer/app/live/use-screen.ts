import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { LiveCall, LivePicture, LiveScreen, LiveWindow } from '../../model/live.ts'
import { RequestError, type TokenKind } from '../ui/data.ts'
import type { ViewerPicture } from '../ui/screen.tsx'
import type { LiveClient } from './client.ts'

/** The latest state of the session, with the parts that were sent earlier. */
export interface KnownScreen extends LiveScreen {
  readonly windows: readonly LiveWindow[]
  /** Undefined if the operator denies pictures. */
  readonly shown: { readonly picture: LivePicture; readonly loaded: LoadedPicture } | undefined
}

/** Why the page could not be updated. */
export interface UpdateProblem {
  readonly message: string
  /** The token that the server requires, if that is the reason. */
  readonly token?: TokenKind
}

/** What the page shows, and how it is updated. */
export interface LiveState {
  readonly screen: KnownScreen | undefined
  readonly problem: UpdateProblem | undefined
  readonly isFollowing: boolean
  setFollowing(isFollowing: boolean): void
  /** Updates the page after all earlier updates. With `isWhole`, everything is requested again. */
  refresh(isWhole?: boolean): Promise<void>
}

/** How often the page is updated while it follows. */
const FOLLOW_MS = 1000
/** The calls that the page keeps. */
const MAX_CALLS = 2000

/** Keeps the page up to date with its session. */
export function useScreen(client: LiveClient): LiveState {
  const [screen, setScreen] = useState<KnownScreen>()
  const [problem, setProblem] = useState<UpdateProblem>()
  const [isFollowing, setFollowing] = useState(true)
  const known = useRef<KnownScreen>(undefined)
  const isComplete = useRef(false)
  const queue = useRef<Promise<void>>(Promise.resolve())
  const waiting = useRef(0)

  const refresh = useCallback(
    (isWhole = false): Promise<void> => {
      if (isWhole) isComplete.current = false
      waiting.current++
      queue.current = queue.current.then(async () => {
        try {
          const next = await nextScreen(client, known.current, isComplete.current)
          known.current = next
          isComplete.current = true
          setScreen(next)
          setProblem(undefined)
        } catch (thrown) {
          // The next update requests everything again.
          isComplete.current = false
          setProblem(problemOf(thrown))
        } finally {
          waiting.current--
        }
      })
      return queue.current
    },
    [client],
  )
  useEffect(() => void refresh(), [refresh])
  const isBlocked = problem?.token !== undefined
  useEffect(() => {
    if (!isFollowing || isBlocked) return
    const timer = setInterval(() => {
      if (!document.hidden && waiting.current === 0) void refresh()
    }, FOLLOW_MS)
    return () => clearInterval(timer)
  }, [isFollowing, isBlocked, refresh])
  return { screen, problem, isFollowing, setFollowing, refresh }
}

async function nextScreen(
  client: LiveClient,
  known: KnownScreen | undefined,
  isComplete: boolean,
): Promise<KnownScreen> {
  const answer = (await client.get('inspector/screen', {
    version: isComplete ? known?.version : undefined,
    windows_version: isComplete ? known?.windows_version : undefined,
    calls_after: known?.last_call,
  })) as LiveScreen
  // A server that was started again counts its calls from 1.
  if (known && answer.last_call < known.last_call) return nextScreen(client, undefined, false)
  const { picture, windows = known?.windows ?? [] } = answer
  const isSame = picture === undefined && answer.version === known?.version
  const shown = picture ? { picture, loaded: await loadPicture(answer.version, picture) } : undefined
  return { ...answer, windows, shown: isSame ? known?.shown : shown, calls: joined(known?.calls ?? [], answer.calls) }
}

const joined = (before: readonly LiveCall[], after: readonly LiveCall[]): readonly LiveCall[] =>
  after.length === 0 ? before : [...before, ...after].slice(-MAX_CALLS)

function problemOf(thrown: unknown): UpdateProblem {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const status = thrown instanceof RequestError ? thrown.status : undefined
  if (status === 401) return { message, token: 'server' }
  // The operator's list of tools is another reason.
  if (status === 403 && /harness/i.test(message)) return { message, token: 'harness' }
  return { message }
}

/** A picture that is ready to be drawn. */
type LoadedPicture = ViewerPicture

/** Decodes a picture, so that it is drawn at once and no older one follows it. */
async function loadPicture(key: string, { data, width, height }: LivePicture): Promise<LoadedPicture> {
  const image = new Image()
  image.src = `data:image/png;base64,${data}`
  await image.decode()
  return { key, width, height, draw: (context) => context.drawImage(image, 0, 0) }
}
