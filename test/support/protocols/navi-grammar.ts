import type { Outgoing } from '../../../src/protocols/navi/wire.ts'

/**
 * Checks the event order of a finished run (Navi document, "Event flow"). Returns the problems. Each event becomes one character,
 * so that a pattern can describe a run.
 */
export function checkEventOrder(events: readonly Outgoing[], as: keyof typeof SHAPES = 'scripted'): readonly string[] {
  const problems: string[] = []
  // An error that a run survives may occur anywhere.
  const shape = events.map(letter).join('').replaceAll('E', '')
  if (!SHAPES[as].test(shape)) problems.push(`the order ${shape} is not one of a run`)
  problems.push(...unpaired(events))
  const answer = events.map((event) => (event.type === 'stream_delta' ? event.delta : '')).join('')
  const end = events.find((event) => event.type === 'stream_end')
  if (end && end.content !== answer) problems.push('the answer is not what its pieces make')
  return problems
}

/** A live model also streams thoughts and texts before its tool calls. */
const SHAPES = {
  scripted: /^SP?[KTWC]*(H+h)?D*ZX?$/,
  live: /^SP?((H+h)?D*[KTWC]+)*(H+h)?D*ZX?$/,
}

const LETTERS = {
  stream_start: 'S',
  thinking_delta: 'H',
  thinking_end: 'h',
  turn_thinking: 'K',
  plan_ready: 'P',
  tool_started: 'T',
  tool_call: 'C',
  stream_delta: 'D',
  stream_end: 'Z',
  stream_stopped: 'Q',
  profile_switched: 'W',
  context_compressed: 'X',
  error: 'E',
} satisfies Record<Outgoing['type'], string>

const letter = (event: Outgoing): string => LETTERS[event.type]

/** Calls end in the reverse order of their starts. Those of a nested agent are inside its `spawn_agent`. */
function unpaired(events: readonly Outgoing[]): string[] {
  const problems: string[] = []
  const open: string[] = []
  const key = (event: Extract<Outgoing, { type: 'tool_started' | 'tool_call' }>) =>
    JSON.stringify([event.tool, event.args, event.is_subagent])
  for (const event of events) {
    if (event.type === 'tool_started') open.push(key(event))
    if (event.type === 'tool_call' && open.pop() !== key(event)) problems.push(`${event.tool} ends that did not begin`)
    if (event.type === 'profile_switched' && !open.at(-1)?.startsWith('["switch_profile"'))
      problems.push('a profile is switched outside of switch_profile')
  }
  return [...problems, ...open.map((call) => `${call} never ends`)]
}
