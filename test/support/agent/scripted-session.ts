import type { AgentSession } from '../../../src/agent/agent-session.ts'
import { type AgentSessionOptions, createAgent } from '../../../src/agent/engine.ts'
import type { AgentEvent } from '../../../src/agent/events.ts'
import { DEFAULT_PROFILE } from '../../../src/agent/profiles.ts'
import { builtinScript } from '../../../src/agent/script/builtin-script.ts'
import { parseScript } from '../../../src/agent/script/script.ts'
import { cannedTools, scriptedModel } from '../../../src/agent/script/scripted-model.ts'
import type { Toolbox } from '../../../src/agent/toolbox.ts'
import { seededIds } from '../../../src/base/ids.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { manualClock } from '../base/manual-clock.ts'

interface ScriptedSessionOptions extends AgentSessionOptions {
  readonly tools?: Toolbox
}

/** A session of a scripted agent on a clock that a test moves, with its events and reported bugs. */
export function openScriptedSession(
  script: unknown = builtinScript,
  { tools, ...options }: ScriptedSessionOptions = {},
) {
  const read = parseScript(script)
  const clock = manualClock()
  const bugs: unknown[] = []
  const agent = createAgent({
    model: scriptedModel(read),
    openToolbox: () => tools ?? cannedTools([...read.tools, ...builtinScript.tools]),
    clock,
    ids: seededIds(seededRandom(1)),
    profiles: [DEFAULT_PROFILE, { ...DEFAULT_PROFILE, id: 'admin', name: 'Administrator', max_context_tokens: 1000 }],
    onBug: (cause) => bugs.push(cause),
  })
  const session = agent.open(options)
  const events: AgentEvent[] = []
  session.listen((event) => events.push(event))
  return { session, clock, events, bugs }
}

export const eventTypes = (events: readonly AgentEvent[]) => events.map((event) => event.type)
export const eventsOfType = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type)

/** Returns the first request of a session's agent. */
export function nextRequest(
  session: AgentSession,
  type: 'permission_request' | 'question' | 'hook_request',
): Promise<string> {
  return new Promise((resolve) => {
    const stop = session.listen((event) => {
      if (event.type !== type) return
      stop()
      resolve(event.requestId)
    })
  })
}
