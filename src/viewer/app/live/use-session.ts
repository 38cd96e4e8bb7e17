import { useEffect, useRef, useState } from 'preact/hooks'
import type { LiveExplanation } from '../../model/live.ts'
import { recordedCalls } from '../../model/scenario-recorder.ts'
import type { CallReply, LiveClient } from './client.ts'
import type { ActionReport } from './stage.tsx'
import type { KnownScreen, LiveState } from './use-screen.ts'

type OwnArguments = Readonly<Record<string, unknown>>

/** Acts as the user, and keeps the latest outcome. */
export function useActions(client: LiveClient, refresh: LiveState['refresh']) {
  const [report, setReport] = useState<ActionReport>()
  const sent = useRef(new Map<number, OwnArguments>())
  /** Calls a tool and updates the page. Undefined if the call failed. */
  const call = async (tool: string, args: object, words = tool): Promise<CallReply | undefined> => {
    try {
      const reply = await client.call(tool, args)
      if (reply.step_id !== undefined) sent.current.set(reply.step_id, args as OwnArguments)
      const outcome = reply.changed === undefined ? 'done' : reply.changed ? 'changed' : 'nothing changed'
      setReport({ text: `${words}: ${outcome}`, isBad: false })
      await refresh()
      return reply
    } catch (thrown) {
      setReport({ text: `${words}: ${(thrown as Error).message}`, isBad: true })
      await refresh()
      return undefined
    }
  }
  return { report, call, sent: sent.current }
}

/** Explanations of calls, the latest of which is shown. */
export function useExplanation(client: LiveClient) {
  const [explanation, setExplanation] = useState<LiveExplanation>()
  const [problem, setProblem] = useState<string>()
  const explain = async (asked: Promise<LiveExplanation>) => {
    try {
      setExplanation(await asked)
      setProblem(undefined)
    } catch (thrown) {
      setExplanation(undefined)
      setProblem((thrown as Error).message)
    }
  }
  return {
    explanation,
    problem,
    explainCall: (sequence: number) => explain(client.explainCall(sequence)),
    explain: (tool: string, args: object) => explain(client.explain(tool, args)),
  }
}

interface Recording {
  /** The sequence of the last call before it. */
  readonly from: number
  /** The sequence of its last call. Undefined while it continues. */
  readonly to?: number
  readonly window: string | undefined
}

/**
 * Records the calls of the log from a moment on.
 * @param sent The arguments of the page's own calls by their `step_id`. The log has no texts that were typed.
 */
export function useScenarioRecorder(
  { calls, last_call: last, windows }: KnownScreen,
  sent: ReadonlyMap<number, OwnArguments>,
) {
  const [recording, setRecording] = useState<Recording>()
  // The log of a server that was started again has none of these calls.
  const isLost = recording !== undefined && last < recording.from
  useEffect(() => {
    if (isLost) setRecording(undefined)
  }, [isLost])
  const { from = 0, to = Number.POSITIVE_INFINITY, window } = recording ?? {}
  const kept = calls
    .filter(({ sequence }) => sequence > from && sequence <= to)
    .map((call) => ({ ...call, args: (call.step_id !== null && sent.get(call.step_id)) || call.args }))
  return {
    calls: recording && recordedCalls(kept, window),
    isRecording: recording !== undefined && recording.to === undefined,
    start: () => setRecording({ from: last, window: windows.find(({ focused }) => focused)?.uid }),
    stop: () => recording && setRecording({ ...recording, to: last }),
  }
}
