import type { AdversaryProgram } from './adversary.ts'
import { type Control, controlKey, isButtonLike, shownControls } from './controls.ts'
import { pressControl } from './flood.ts'

const MAX_CLOSED = 20
/** Names of buttons that dismiss a dialog whose file does not mark them. */
const DISMISSES = /^(close|cancel|dismiss|ok|no|not now|later|skip|got it|×)$/i

const isDismissing = ({ element }: Control): boolean =>
  element.traits?.closes === true || element.traits?.presses === 'escape' || DISMISSES.test(element.name.trim())

/** Closes windows and dismisses dialogs: by keys, and by their buttons. */
export const closePrograms = (): readonly AdversaryProgram[] => [byKey('escape'), byKey('alt+f4'), byButton]

const byKey = (keys: string): AdversaryProgram =>
  async function* (attempt) {
    for (let closed = 0; closed < MAX_CLOSED; closed++) {
      const before = attempt.desktop.computer.desktop.windows
      const { fault } = await attempt.call('press_key', { keys })
      yield
      if (fault || attempt.desktop.computer.desktop.windows === before) return
    }
  }

async function* byButton(attempt: Parameters<AdversaryProgram>[0]): AsyncGenerator<void, void> {
  const pressed = new Set<string>()
  for (let closed = 0; closed < MAX_CLOSED; closed++) {
    const button = shownControls(attempt.desktop.computer).find(
      (control) => isButtonLike(control) && isDismissing(control) && !pressed.has(controlKey(control)),
    )
    if (!button) return
    pressed.add(controlKey(button))
    await pressControl(attempt, button)
    yield
  }
}
