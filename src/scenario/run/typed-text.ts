import type { Action } from '../../desktop/input/action.ts'
import { keyOfCharacter, takesTypedText } from '../../desktop/input/keyboard.ts'
import { characterOf, parseChord } from '../../desktop/input/keys.ts'
import type { Scenario } from '../scenario.ts'
import type { Trigger } from '../schema/reaction.ts'
import { eventsOf } from './event.ts'
import { isInState, type ScenarioRun } from './scenario-run.ts'
import { matchTrigger } from './triggers.ts'

/** A part of an action that takes effect at once, and what follows it. */
export interface ActionPart {
  readonly part: Action
  readonly rest?: Action
}

const HAS_KEY = /[\r\n\t]/

/**
 * The first part of an action: of typed text, the characters before the first key, or that key. A line feed is Enter and a
 * tab is Tab, unless the field inserts them and nothing waits for the key. Where nothing takes text, a character that a
 * reaction waits for is a key as well.
 */
export function firstPart(run: ScenarioRun, action: Action): ActionPart {
  if (action.type !== 'type') return { part: action }
  if (!HAS_KEY.test(action.text) && !waitsForCharacters(run.scenario)) return { part: action }
  const text = action.text.replace(/\r\n?/g, '\n')
  const taken = run.scenario.live ? takesTypedText(run.desktop) : 'lines'
  const waits = new Map<string, boolean>()
  const isKey = (character: string): boolean => {
    const isNamed = character === '\n' || character === '\t'
    if (isNamed && taken !== 'lines') return true
    if (!isNamed && taken !== 'nothing') return false
    if (!waits.has(character)) waits.set(character, isAwaited(run, keyOfCharacter(character)))
    return waits.get(character)!
  }
  let length = 0
  for (const character of text) {
    if (isKey(character)) {
      const end = length || character.length
      const part: Action =
        length > 0 ? { type: 'type', text: text.slice(0, end) } : { type: 'key', keys: keyOfCharacter(character) }
      return end === text.length ? { part } : { part, rest: { type: 'type', text: text.slice(end) } }
    }
    length += character.length
  }
  return { part: { type: 'type', text } }
}

const ofKeys = ({ keys, tool }: Trigger): boolean => keys !== undefined || tool === 'press_key'

/** The triggers of reactions and timers about keys, and whether one may be about a key that types a character. */
interface KeyTriggers {
  readonly entries: readonly { readonly on: Trigger; readonly in?: string | readonly string[] | undefined }[]
  readonly characters: boolean
}
const keyTriggers = new WeakMap<Scenario, KeyTriggers>()

function keyTriggersOf(scenario: Scenario): KeyTriggers {
  const known = keyTriggers.get(scenario)
  if (known) return known
  const entries = [...scenario.reactions, ...scenario.timers].flatMap(({ on, in: states }) =>
    on && ofKeys(on) ? [{ on, in: states }] : [],
  )
  const characters = entries.some(({ on }) => on.keys === undefined || characterOf(parseChord(on.keys)) !== undefined)
  const found: KeyTriggers = { entries, characters }
  keyTriggers.set(scenario, found)
  return found
}

const waitsForCharacters = (scenario: Scenario): boolean => keyTriggersOf(scenario).characters

/** Whether a reaction or timer of the current state waits for a key where the focus is. */
function isAwaited(run: ScenarioRun, keys: string): boolean {
  const events = eventsOf(run.desktop, { type: 'key', keys })
  return keyTriggersOf(run.scenario).entries.some(
    ({ on, in: states }) => isInState(states, run.state) && events.some((event) => matchTrigger(on, event)),
  )
}
