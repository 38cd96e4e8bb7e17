import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { formatChord, parseChord, parseKey } from '../../desktop/input/keys.ts'
import { GateArguments, InputResult, performInput, pointFaults } from '../actions/input.ts'
import type { ActingContext, TreeContext } from '../desktop-context.ts'
import { advanceTime } from '../desktop-context.ts'
import { defineTool } from '../tool.ts'
import { waitLimit } from './waiting.ts'

/** Primitive input by the keyboard, and waits. */

const MAX_MS = 60_000
/** How often a wait on a real clock reports its progress. */
const PROGRESS_MS = 1000
const Key = z.string().min(1).describe('One key, in the spelling of any system: ctrl, Return, ARROWUP, a')
const Keys = z.string().min(1).describe("Key or chord; modifiers first, joined with '+': enter, ctrl+s")

const keyFaults = [...pointFaults, 'PlatformUnsupported'] as const

const holds = (['key_down', 'key_up'] as const).map((name) =>
  defineTool({
    name,
    kind: 'act',
    summary:
      name === 'key_down'
        ? 'Press a key and hold it until key_up. A held modifier changes clicks, drags, the wheel and other keys.'
        : 'Release a key that key_down holds.',
    input: GateArguments.extend({ key: Key }),
    output: InputResult,
    faults: keyFaults,
    run: (call, context: ActingContext) => {
      const key = parseKey(call.input.key)
      return performInput(call, context, { name, action: { type: name, key }, echo: { action: name, key } })
    },
  }),
)

const holdKey = defineTool({
  name: 'hold_key',
  kind: 'act',
  summary: 'Hold a key or chord for a time. After half a second it repeats thirty times a second.',
  input: GateArguments.extend({
    keys: Keys,
    duration_ms: z.int().min(0).max(MAX_MS).describe('How long to hold it, in milliseconds'),
  }),
  output: InputResult,
  faults: keyFaults,
  run: (call, context: ActingContext) => {
    const { duration_ms } = call.input
    const keys = formatChord(parseChord(call.input.keys))
    const action: Action = { type: 'hold', keys, forMs: duration_ms }
    const echo = { action: 'hold_key', value: keys, duration_ms }
    return performInput(call, context, { name: 'hold_key', action, echo, lastsMs: duration_ms })
  },
})

const pressKeys = defineTool({
  name: 'press_keys',
  kind: 'act',
  summary: 'Press a key or chord, once or several times.',
  input: GateArguments.extend({
    keys: Keys,
    repeat: z.int().min(1).max(100).default(1).describe('How often to press it'),
  }),
  output: InputResult,
  faults: keyFaults,
  run: (call, context: ActingContext) => {
    const { repeat } = call.input
    const keys = formatChord(parseChord(call.input.keys))
    const action: readonly Action[] = Array.from({ length: repeat }, () => ({ type: 'key', keys }))
    return performInput(call, context, {
      name: 'press_keys',
      action,
      echo: { action: 'press_keys', value: keys, repeat },
    })
  },
})

const wait = defineTool({
  name: 'wait',
  kind: 'act',
  summary:
    'Wait, at most as long as wait_for may. On a virtual clock the desktop clock advances and the call returns at once.',
  input: z.object({
    duration_ms: z.int().min(0).describe('How long to wait, in milliseconds'),
    dry_run: GateArguments.shape.dry_run,
  }),
  output: z.object({
    action: z.string(),
    dry_run: z.boolean(),
    duration_ms: z.number().describe('The time that passed on the clock of the desktop'),
    clock: z.enum(['virtual', 'real']),
    note: z.string().optional().describe('Present when the wait was cut'),
  }),
  faults: ['Timeout'],
  run: async ({ input, watch: { signal, onProgress } }, context: ActingContext & TreeContext) => {
    const { clock, stopSignal } = context
    const { dry_run } = input
    const { limitMs, cut } = waitLimit(context, 'duration_ms', input.duration_ms)
    const startedMs = clock.now()
    const ends = signal ? AbortSignal.any([signal, stopSignal]) : stopSignal
    for (let leftMs = dry_run ? 0 : limitMs; leftMs > 0 && !ends.aborted; ) {
      const partMs = clock.virtual ? leftMs : Math.min(leftMs, PROGRESS_MS)
      await (clock.virtual ? advanceTime(context, partMs) : clock.sleep(partMs, ends))
      leftMs -= partMs
      onProgress?.({ elapsedMs: clock.now() - startedMs, timeoutMs: limitMs })
    }
    if (signal?.aborted) throw new Fault('Timeout', `the caller cancelled the wait after ${clock.now() - startedMs} ms`)
    return {
      action: 'wait',
      dry_run,
      duration_ms: clock.now() - startedMs,
      clock: clock.virtual ? 'virtual' : 'real',
      ...(cut && { note: cut }),
    }
  },
})

export const keyboardTools = [...holds, holdKey, pressKeys, wait]
