import { chances, defineFault } from '../fault-kind.ts'
import { dialogWindow } from './window-text.ts'

export const focusTheft = defineFault({
  id: 'focus-theft',
  describe: 'A reminder with a text field opens before an input of the keyboard and gets the keys.',
  params: chances({ probability: 0.5, times: 1 }),
  hook: {
    on: 'action',
    applies: ({ type }) => type === 'type' || type === 'key' || type === 'key_down' || type === 'hold',
    alter: ({ desktop }) => ({
      effects: [
        {
          open: dialogWindow(desktop, {
            uid: 'reminder',
            title: 'Reminder',
            process: 'reminders',
            text: 'Stand-up meeting in 5 minutes. Add a note?',
            field: 'Note',
            buttons: ['Dismiss'],
          }),
        },
      ],
    }),
  },
})
