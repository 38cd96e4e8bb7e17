import type { TestExtension } from 'x11'
import { Fault } from '../../../base/fault.ts'
import type { Button } from '../../../desktop/input/action.ts'
import { modifierOf } from '../../../desktop/input/keys.ts'
import type { Display } from '../x11/display.ts'
import { MODIFIER_MASKS, readKeymap } from './keyboard-state.ts'
import { planChord } from './keymap.ts'

/** The X11 numbers of buttons. 4 to 7 are the wheel. */
export const BUTTONS: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3, back: 8, forward: 9 }

/** The buttons and keys that stay down between actions. Each method throws nothing if there is nothing to do. */
export interface X11HeldInput {
  readonly buttons: readonly Button[]
  readonly keys: readonly string[]
  /** The modifiers that are held, as an X11 mask. */
  readonly mask: number
  /** Returns false if the button is down already. */
  pressButton(button: Button): boolean
  /** Returns false if the button is not down. */
  releaseButton(button: Button): boolean
  /** Returns the events that press a key and hold it. They are sent, and the key counts as held, when called. */
  planKey(key: string): Promise<() => void>
  /** Returns false if the key is not down. */
  releaseKey(key: string): boolean
  /** Releases everything. */
  releaseAll(): void
}

export function createHeldInput(
  display: Display,
  xtest: TestExtension,
  sendEvent: (kind: number, detail: number) => void,
): X11HeldInput {
  const buttons = new Set<Button>()
  const keys = new Map<string, readonly number[]>()
  const releaseButton = (button: Button): boolean => {
    if (!buttons.delete(button)) return false
    sendEvent(xtest.ButtonRelease, BUTTONS[button])
    return true
  }
  const releaseKey = (key: string): boolean => {
    const codes = keys.get(key)
    if (!codes) return false
    keys.delete(key)
    for (const code of [...codes].reverse()) sendEvent(xtest.KeyRelease, code)
    return true
  }
  return {
    get buttons() {
      return [...buttons]
    },
    get keys() {
      return [...keys.keys()]
    },
    get mask() {
      return [...keys.keys()].reduce((mask, key) => {
        const modifier = modifierOf(key)
        return modifier ? mask | MODIFIER_MASKS[modifier] : mask
      }, 0)
    },
    pressButton(button) {
      if (buttons.has(button)) return false
      buttons.add(button)
      sendEvent(xtest.ButtonPress, BUTTONS[button])
      return true
    },
    releaseButton,
    async planKey(key) {
      const { held, strokes, remapped } = planChord(await readKeymap(display), { modifiers: [], key })
      if (remapped.length > 0)
        throw new Fault('PlatformUnsupported', `the keyboard of this desktop has no ${key} key to hold; use type_text`)
      const codes = [...held, ...strokes.map(({ code }) => code)]
      return () => {
        for (const code of codes) sendEvent(xtest.KeyPress, code)
        keys.set(key, codes)
      }
    },
    releaseKey,
    releaseAll() {
      for (const button of buttons) releaseButton(button)
      for (const key of keys.keys()) releaseKey(key)
    },
  }
}
