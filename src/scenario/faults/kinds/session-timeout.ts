import { atStep, defineFault } from '../fault-kind.ts'
import { dialogWindow } from './window-text.ts'

export const sessionTimeout = defineFault({
  id: 'session-timeout',
  describe: 'After a step the active window loses its entries, and a dialog says that the session has expired.',
  params: atStep,
  hook: {
    on: 'step',
    effects: ({ desktop }) => {
      const { active } = desktop
      const again = active === undefined ? [] : [{ close: active }, { open: active }]
      const dialog = dialogWindow(desktop, {
        uid: 'session-expired',
        title: 'Session expired',
        process: 'system',
        text: 'Your session has expired. Entries that were not saved are lost.',
        buttons: ['Sign in again'],
        modalTo: active,
      })
      return [...again, { open: dialog }]
    },
  },
})
