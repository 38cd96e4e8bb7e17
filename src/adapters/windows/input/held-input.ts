import type { Button } from '../../../desktop/input/action.ts'
import type { InputEvent } from './input-events.ts'

/** The buttons and keys that stay down between actions. */
export interface WindowsHeldInput {
  readonly buttons: readonly Button[]
  readonly keys: readonly string[]
  /** Sends the events that press a button. Returns false if it is down already. */
  pressButton(button: Button): boolean
  /** Returns false if the button is not down. */
  releaseButton(button: Button): boolean
  /** Sends the events that press a key, and remembers those that release it. Returns false if it is down already. */
  pressKey(key: string, press: readonly InputEvent[], release: readonly InputEvent[]): boolean
  /** Returns false if the key is not down. */
  releaseKey(key: string): boolean
  releaseAll(): void
}

/** Creates held input on a desktop. `button` creates the event of a button. */
export function windowsHeldInput(
  send: (events: readonly InputEvent[]) => void,
  button: (button: Button, isDown: boolean) => InputEvent,
): WindowsHeldInput {
  const buttons = new Set<Button>()
  const keys = new Map<string, readonly InputEvent[]>()
  const releaseButton = (each: Button): boolean => {
    if (!buttons.delete(each)) return false
    send([button(each, false)])
    return true
  }
  const releaseKey = (key: string): boolean => {
    const release = keys.get(key)
    if (!release) return false
    keys.delete(key)
    send(release)
    return true
  }
  return {
    get buttons() {
      return [...buttons]
    },
    get keys() {
      return [...keys.keys()]
    },
    pressButton(each) {
      if (buttons.has(each)) return false
      buttons.add(each)
      send([button(each, true)])
      return true
    },
    releaseButton,
    pressKey(key, press, release) {
      if (keys.has(key)) return false
      keys.set(key, release)
      send(press)
      return true
    },
    releaseKey,
    releaseAll() {
      for (const each of [...buttons]) releaseButton(each)
      for (const key of [...keys.keys()].reverse()) releaseKey(key)
    },
  }
}
