import { DEFAULT_SCREEN, type Desktop, windowByUid } from '../../desktop/model/desktop.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { primaryMonitor } from '../../desktop/windows/panel.ts'
import type { AuthoredElement, NamedWindow } from '../schema/element.ts'
import { atStep, chances, defineFault, lasting } from './fault-kind.ts'

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

export const occludingToast = defineFault({
  id: 'occluding-toast',
  describe: 'After a step a notification covers the corner of the screen for a while.',
  params: { ...atStep, ...lasting(8000) },
  hook: {
    on: 'step',
    effects: ({ params }) => [
      {
        title: 'Storage almost full',
        toast: 'Your disk has less than 5 % free space. Remove files that you no longer need.',
        for_ms: params.for_ms,
        actions: [{ name: 'Clean up' }, { name: 'Later' }],
      },
    ],
  },
})

/** The content of a dialog that a fault opens. */
interface DialogText {
  readonly uid: string
  readonly title: string
  readonly process: string
  readonly text: string
  readonly buttons: readonly string[]
  /** The name of a text field, which gets the keyboard. */
  readonly field?: string
  readonly modalTo?: string | undefined
}

const DIALOG_WIDTH = 420
const DIALOG_HEIGHT = 190
const BUTTON = { width: 130, height: 30 }
const MARGIN = 20
const TITLE_HEIGHT = 32

/** A dialog in the middle of the primary monitor. Its buttons close it. */
function dialogWindow(desktop: Desktop, dialog: DialogText): NamedWindow {
  const { uid, title, process, text, buttons, field, modalTo } = dialog
  const bounds = centred(primaryMonitor(desktop)?.bounds ?? DEFAULT_SCREEN)
  const { x, y } = bounds
  const inner = DIALOG_WIDTH - 2 * MARGIN
  const children: AuthoredElement[] = [
    { role: 'Text', name: text, bounds: { x: x + MARGIN, y: y + TITLE_HEIGHT + MARGIN, width: inner, height: 40 } },
  ]
  if (field !== undefined)
    children.push({
      id: 'text',
      role: 'Edit',
      name: field,
      value: '',
      focused: true,
      bounds: { x: x + MARGIN, y: y + TITLE_HEIGHT + 65, width: inner, height: 24 },
    })
  for (const [index, name] of buttons.entries())
    children.push({
      role: 'Button',
      name,
      closes: true,
      bounds: {
        x: x + DIALOG_WIDTH - (buttons.length - index) * (BUTTON.width + MARGIN),
        y: y + DIALOG_HEIGHT - BUTTON.height - MARGIN,
        ...BUTTON,
      },
    })
  return {
    uid,
    title,
    process,
    bounds,
    ...(modalTo !== undefined && { modal_to: modalTo }),
    tree: { role: 'Window', name: title, children },
  }
}

const centred = ({ x, y, width, height }: Rect): Rect => ({
  x: x + Math.round((width - DIALOG_WIDTH) / 2),
  y: y + Math.round((height - DIALOG_HEIGHT) / 2),
  width: DIALOG_WIDTH,
  height: DIALOG_HEIGHT,
})
