import { windowByUid } from '../../../desktop/model/desktop.ts'
import { atStep, defineFault } from '../fault-kind.ts'
import { dialogWindow } from './window-text.ts'

export const updateDialog = defineFault({
  id: 'update-dialog',
  describe: 'After a step a dialog about an update opens in the middle of the screen and takes the keyboard.',
  params: atStep,
  hook: {
    on: 'step',
    effects: ({ desktop }) => [
      {
        open: dialogWindow(desktop, {
          uid: 'software-update',
          title: 'Software Update',
          process: 'updater',
          text: 'An update is ready. The computer restarts to install it.',
          buttons: ['Restart now', 'Later'],
        }),
      },
    ],
  },
})

export const permissionDialog = defineFault({
  id: 'permission-dialog',
  describe: 'After a step a dialog asks for a permission and blocks the active window until it is answered.',
  params: atStep,
  hook: {
    on: 'step',
    effects: ({ desktop }) => {
      const active = windowByUid(desktop, desktop.active ?? '')
      const asking = active?.title || 'An application'
      return [
        {
          open: dialogWindow(desktop, {
            uid: 'permission',
            title: 'Permission',
            process: 'system',
            text: `${asking.replaceAll(/[{}]/g, '')} wants to use your location.`,
            buttons: ['Deny', 'Allow'],
            modalTo: active?.uid,
          }),
        },
      ]
    },
  },
})
