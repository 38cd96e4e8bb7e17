import type { AdversaryKnowledge, AdversaryProgram } from './adversary.ts'
import type { AdversaryRun } from './attempt.ts'
import { type Control, controlKey, isButtonLike, isPressable, shownControls, targetArguments } from './controls.ts'

/** Each round presses what the round before has opened. */
const MAX_ROUNDS = 4
const MAX_PRESSES = 150
const MAX_ALONE = 25

/** Presses every control, in both directions, and each control alone. */
export const floodPrograms = ({ acting }: AdversaryKnowledge): readonly AdversaryProgram[] => [
  floodOf((controls) => controls),
  floodOf((controls) => controls.toReversed()),
  // A task of one action is done by one press.
  ...(acting.length < 2 ? [] : Array.from({ length: MAX_ALONE }, (_, index) => aloneAt(index))),
]

const floodOf = (order: (controls: readonly Control[]) => readonly Control[]): AdversaryProgram =>
  async function* (attempt) {
    const pressed = new Set<string>()
    for (let round = 0; round < MAX_ROUNDS && pressed.size < MAX_PRESSES; round++) {
      const fresh = shownControls(attempt.desktop.computer).filter(
        (control) => isPressable(control) && !pressed.has(controlKey(control)),
      )
      if (fresh.length === 0) return
      // Texts and pictures come last, because there are many.
      const ordered = [...order(fresh.filter(isButtonLike)), ...order(fresh.filter((each) => !isButtonLike(each)))]
      for (const control of ordered.slice(0, MAX_PRESSES - pressed.size)) {
        pressed.add(controlKey(control))
        await pressControl(attempt, control)
      }
      yield
    }
  }

const aloneAt = (index: number): AdversaryProgram =>
  async function* (attempt) {
    const control = shownControls(attempt.desktop.computer).filter(isButtonLike)[index]
    if (!control) return
    await pressControl(attempt, control)
    yield
  }

/** Clicks a control. One that is out of view or covered is activated without the pointer. */
export async function pressControl(attempt: AdversaryRun, control: Control): Promise<void> {
  const { fault } = await attempt.call('click_element', targetArguments(control))
  if (fault) await attempt.call('invoke_element', targetArguments(control))
}
